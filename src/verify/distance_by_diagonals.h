#pragma once

#include <cstdint>

#include "data/columns.h"
#include "sosie/strings.h"

namespace sosie {

// The most edits that distance_by_diagonals() is asked for.
inline constexpr std::uint32_t kMostDiagonalEdits = 8;

// The distance when it is at most `most`, else most + 1: how far each diagonal of the table gets
// with so many edits. Not of damerau; strings of one width. O(length + most²) time for strings that
// are near, no memory. Source: Ukkonen 1985; Landau, Vishkin 1989.
[[nodiscard]] std::uint32_t distance_by_diagonals(EditMeasure measure, const SymbolSpan& left,
                                                  const SymbolSpan& right,
                                                  std::uint32_t most) noexcept;

}  // namespace sosie
