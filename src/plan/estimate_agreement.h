#pragma once

#include <optional>
#include <string>

namespace sosie {

// Estimated true links by each method that gave an estimate.
struct MatchEstimates {
  double model = 0;                  // sum of the model's probabilities
  std::optional<double> field;       // FieldEstimate
  std::optional<double> runners_up;  // RunnerUpEstimate
};

// A warning that the model's sum differs by more than a fifth from another estimate, with the
// figures; nothing when they agree or there is no other.
[[nodiscard]] std::optional<std::string> disagreement(const MatchEstimates& estimates);

}  // namespace sosie
