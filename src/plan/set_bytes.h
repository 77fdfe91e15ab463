#pragma once

#include <cstdint>

#include "core/memory_budget.h"

namespace sosie {

// Bytes per element and per set for a set in memory.
inline constexpr double kSetBytes = MemoryBudget::kShingleSets;
inline constexpr double kSetOverheadBytes = MemoryBudget::kShingleSetOverhead;
// Bytes per element and per set in an exact join by ranges of the sets, which numbers, orders and
// indexes two ranges at a time, and the minimum memory for two ranges.
inline constexpr std::uint64_t kRangedElementBytes = 48;
inline constexpr std::uint64_t kRangedSetBytes = 64;
inline constexpr std::uint64_t kLeastRangesBytes = std::uint64_t{1} << 20;
// Limit on the rows that stay in memory when the sets of an exact join go to scratch: one row per
// kJoinedRowBytes of --memory and of part of the memory beyond it. A row needs that much while
// identical sets are found.
inline constexpr std::uint64_t kJoinedRowBytes = 95;
inline constexpr std::uint64_t kBesidesMemory = std::uint64_t{16} << 20;
// Time to compare two signatures in a bucket: 20 ns while all are in cache, 60 ns with 200,000
// rows.
inline constexpr double kCandidateNs = 50;

}  // namespace sosie
