#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "plan/lsh_plan.h"

namespace sosie {

// Forecast of each method from a sample of a run's pairs, for vectors and bit strings.
struct LshForecast {
  // Without its sample. No collision(): the measure has no family, or it is not to be hashed.
  LshTask task;
  std::vector<double> sample;   // distances of the drawn pairs, in the unit of the family
  std::optional<LshPlan> plan;  // nothing: no construction reaches the recall
  // Nanoseconds of one core, of all rows together; infinity: the method cannot be.
  double exact_ns = std::numeric_limits<double>::infinity();
  double lsh_ns = std::numeric_limits<double>::infinity();
  double brute_ns = std::numeric_limits<double>::infinity();
  double expected_pairs = 0;
};

// Without rows there is no sample. Then a plan is made for so many partners of an item.
inline constexpr double kAssumedPartners = 50'000;

// Plans with the sample; `taken`, a plan that was made before, is kept as it is. Sets plan and
// lsh_ns. `rows`: items that are hashed.
void plan_lsh(LshForecast& forecast, const HashFamily& family, double rows,
              const std::optional<LshPlan>& taken);

// Throws Error{unsupported} when there is no plan.
[[nodiscard]] const LshPlan& require_plan(const LshForecast& forecast);

[[nodiscard]] double part_within(const std::vector<double>& distances, double bound) noexcept;

}  // namespace sosie
