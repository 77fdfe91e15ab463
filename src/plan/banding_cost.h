#pragma once

#include <limits>
#include <span>

#include "plan/banding_plan.h"
#include "plan/false_pairs.h"

namespace sosie {

// Plan-dependent cost per document in nanoseconds: signature, band keys, and false candidates among
// the given pairs. For comparing plans only; does not predict run times. `shingles`: distinct
// shingles of the typical document. `most`: a cost above it may be underestimated, but never below
// `most`.
[[nodiscard]] double banding_cost_ns(
    const BandingPlan& plan, double shingles, std::span<const FalsePairs> false_pairs,
    double most = std::numeric_limits<double>::infinity()) noexcept;

}  // namespace sosie
