#pragma once

#include <cstdint>

#include "core/memory_budget.h"

namespace sosie {

// A set at hand: bytes of an element, and besides.
inline constexpr double kSetBytes = MemoryBudget::kShingleSets;
inline constexpr double kSetOverheadBytes = MemoryBudget::kShingleSetOverhead;
// Bytes of an element and of a set where an exact join goes by ranges of the sets, two of which are
// numbered, ordered and indexed at a time, and the least memory of two.
inline constexpr std::uint64_t kRangedElementBytes = 48;
inline constexpr std::uint64_t kRangedSetBytes = 64;
inline constexpr std::uint64_t kLeastRangesBytes = std::uint64_t{1} << 20;
// Compare two signatures of a bucket: 20 ns while all are in cache, 60 of 200,000 rows.
inline constexpr double kCandidateNs = 50;

}  // namespace sosie
