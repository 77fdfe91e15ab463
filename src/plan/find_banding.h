#pragma once

#include <optional>

#include "plan/banding_plan.h"

namespace sosie {

// Plans as choose_banding() does; nullopt if no plan reaches the recall.
[[nodiscard]] std::optional<BandingPlan> find_banding(const Rational& threshold, double recall,
                                                      const SampleFacts& sample);

}  // namespace sosie
