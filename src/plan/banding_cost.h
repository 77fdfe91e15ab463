#pragma once

#include <limits>
#include <span>

#include "plan/banding_plan.h"
#include "plan/false_pairs.h"

namespace sosie {

// Nanoseconds that a document costs under a plan, as far as they depend on the plan: signature,
// band keys, and the false candidates among the given pairs. Compares plans; predicts no run time.
// `shingles`: distinct shingles of the typical document. `most`: a cost above it may be told too
// low, if only above it.
[[nodiscard]] double banding_cost_ns(
    const BandingPlan& plan, double shingles, std::span<const FalsePairs> false_pairs,
    double most = std::numeric_limits<double>::infinity()) noexcept;

}  // namespace sosie
