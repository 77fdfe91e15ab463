#pragma once

#include <cstdint>

#include "data/columns.h"
#include "sosie/strings.h"
#include "verify/pattern_masks.h"

namespace sosie {

// Maximum number of edits within which a band of this many words finds distances: one diagonal for
// each edit, the main diagonal, and one more on either side for swapped symbols.
constexpr std::uint32_t most_edits_of_band(std::uint32_t words) noexcept {
  return words * PatternMasks::kBlockRows - 3;
}
inline constexpr std::uint32_t kMostBandWords = 2;
inline constexpr std::uint32_t kMostBandEdits = most_edits_of_band(kMostBandWords);

// The distance between a text and the pattern, which has `rows` symbols and is longer than a block,
// if it is at most `most` (which must not exceed kMostBandEdits); otherwise, most + 1. For damerau,
// the distance by osa. Computes only the diagonals that a path with so few edits can touch: one or
// two words of rows that slide along the pattern. For dissimilar strings, stops at the column in
// which the bound is reached. Source: Ukkonen 1985; Hyyrö 2003, "A Bit-Vector Algorithm for
// Computing Levenshtein and Damerau Edit Distances"; Hyyrö, AWOCA 2004.
[[nodiscard]] std::uint32_t distance_in_band(EditMeasure measure, PatternMasks& pattern,
                                             std::uint32_t rows, const SymbolSpan& text,
                                             std::uint32_t most);

}  // namespace sosie
