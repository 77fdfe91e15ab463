#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "plan/lsh_plan.h"

namespace sosie {

// A forecast of each method from sampled pairs of a run on vectors or bit strings.
struct LshForecast {
  // The task without its sample. No collision(): the measure has no family, or hashing is not
  // wanted.
  LshTask task;
  std::vector<double> sample;   // distances of the sampled pairs, in the unit of the family
  std::optional<LshPlan> plan;  // nullopt: no construction reaches the recall
  // Nanoseconds on one core, for all rows together; infinity: the method is not possible.
  double exact_ns = std::numeric_limits<double>::infinity();
  double lsh_ns = std::numeric_limits<double>::infinity();
  double brute_ns = std::numeric_limits<double>::infinity();
  double expected_pairs = 0;
};

// Number of partners per item that a plan assumes if there are no rows from which to take a sample.
inline constexpr double kAssumedPartners = 50'000;

// Makes a plan with the sample; an existing plan, `taken`, is kept unchanged. Sets plan and lsh_ns.
// `rows`: number of hashed items.
void plan_lsh(LshForecast& forecast, const HashFamily& family, double rows,
              const std::optional<LshPlan>& taken);

// Throws Error{unsupported} if there is no plan.
[[nodiscard]] const LshPlan& require_plan(const LshForecast& forecast);

[[nodiscard]] double part_within(const std::vector<double>& distances, double bound) noexcept;

}  // namespace sosie
