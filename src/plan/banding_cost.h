#pragma once

#include <limits>
#include <span>

#include "plan/banding_plan.h"
#include "plan/false_pairs.h"

namespace sosie {

// The part of the cost per document that depends on the plan, in nanoseconds: signature, band keys,
// and false candidates among the given pairs. It serves to compare plans and does not predict run
// times. `shingles`: number of distinct shingles in a typical document. `most`: a cost above this
// may be underestimated, but never to a value below it.
[[nodiscard]] double banding_cost_ns(
    const BandingPlan& plan, double shingles, std::span<const FalsePairs> false_pairs,
    double most = std::numeric_limits<double>::infinity()) noexcept;

}  // namespace sosie
