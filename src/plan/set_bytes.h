#pragma once

#include "core/memory_budget.h"

namespace sosie {

// A set at hand: bytes of an element, and besides.
inline constexpr double kSetBytes = MemoryBudget::kShingleSets;
inline constexpr double kSetOverheadBytes = MemoryBudget::kShingleSetOverhead;
// Compare two signatures of a bucket.
inline constexpr double kCandidateNs = 30;

}  // namespace sosie
