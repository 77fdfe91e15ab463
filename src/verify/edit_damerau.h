#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/string_column.h"

namespace sosie {

// Damerau's distance of two strings of one width when it is at most `most`, else most + 1. Symbols
// of `left` are below last_row.size(), which holds zeros before and after; `rows` is working
// memory. O(length · min(length, most)) time, O(length) memory. Source: Zhao, Sahni, Algorithms 12,
// 2019.
[[nodiscard]] std::uint32_t damerau_distance(const SymbolSpan& left, const SymbolSpan& right,
                                             std::uint32_t most, std::span<std::uint32_t> last_row,
                                             std::vector<std::uint32_t>& rows);

}  // namespace sosie
