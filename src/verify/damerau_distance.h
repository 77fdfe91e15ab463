#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/columns.h"

namespace sosie {

// Memory that comparisons share.
struct DamerauMemory {
  std::span<std::uint32_t> last_row;  // by symbol; zeros before and after a comparison
  std::vector<std::uint32_t>& rows;
  const ThreadPool* pool = nullptr;  // the pool of a run that may be cancelled, or null
};

// Damerau's distance of two strings with the same symbol width if it is at most `most`; otherwise,
// most + 1. Symbols of `left` must be below memory.last_row.size(). O(length · min(length, most))
// time, O(length) memory. Throws Error{cancelled}, after which the memory can no longer be used.
// Source: Zhao, Sahni, Algorithms 12, 2019.
[[nodiscard]] std::uint32_t damerau_distance(const SymbolSpan& left, const SymbolSpan& right,
                                             std::uint32_t most, const DamerauMemory& memory);

}  // namespace sosie
