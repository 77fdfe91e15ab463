#pragma once

#include <cstdint>

#include "data/columns.h"
#include "sosie/strings.h"

namespace sosie {

// Maximum `most` for distance_by_diagonals().
inline constexpr std::uint32_t kMostDiagonalEdits = 8;

// The distance if it is at most `most`; otherwise, most + 1. Determines how far each diagonal of
// the table reaches with a given number of edits. Not for damerau; both strings must have the same
// symbol width. O(length + most²) time for similar strings, no memory. Source: Ukkonen 1985;
// Landau, Vishkin 1989.
[[nodiscard]] std::uint32_t distance_by_diagonals(EditMeasure measure, const SymbolSpan& left,
                                                  const SymbolSpan& right,
                                                  std::uint32_t most) noexcept;

}  // namespace sosie
