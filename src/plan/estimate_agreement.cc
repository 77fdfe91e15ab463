// Compares the model's number of matches with the estimates that do not depend on it.
#include "plan/estimate_agreement.h"

#include <fmt/format.h>

#include <cmath>

namespace sosie {
namespace {

constexpr double kMostDifference = 0.2;

bool differs(double model, const std::optional<double>& other) {
  return other && std::abs(model - *other) > kMostDifference * *other;
}

}  // namespace

std::optional<std::string> disagreement(const MatchEstimates& estimates) {
  if (!differs(estimates.model, estimates.field) &&
      !differs(estimates.model, estimates.runners_up)) {
    return std::nullopt;
  }
  std::string text = fmt::format("the model's probabilities say {:.0f} matches", estimates.model);
  if (estimates.field) text += fmt::format(", the held-out field {:.0f}", *estimates.field);
  if (estimates.runners_up) text += fmt::format(", the runners-up {:.0f}", *estimates.runners_up);
  return text + ": do not trust the probabilities";
}

}  // namespace sosie
