#pragma once

#include <span>
#include <vector>

#include "plan/held_out_link.h"

namespace sosie {

// The differences of runner-up pairs in a field, sorted by score. Pairs that lack the field are not
// counted.
class RunnerUpDifferences {
 public:
  explicit RunnerUpDifferences(std::span<const HeldOutLink> pairs);

  // True if at least 100 pairs have the field.
  [[nodiscard]] bool enough() const noexcept;

  // Mean difference of the pairs with scores in [low, high]. If there are fewer than 100, the pairs
  // with the nearest scores are included. Requires enough().
  [[nodiscard]] double mean_near(double low, double high) const;

 private:
  std::vector<double> scores_;  // ascending
  std::vector<double> sums_;    // sums of the differences before each score, and the sum of all
};

}  // namespace sosie
