#pragma once

#include <cstdint>

#include "data/columns.h"
#include "sosie/strings.h"
#include "verify/pattern_masks.h"

namespace sosie {

// Most edits within which a band of so many words finds distances: a diagonal for each of them, the
// main one, and one more on either side, where symbols that are swapped may stand.
constexpr std::uint32_t most_edits_of_band(std::uint32_t words) noexcept {
  return words * PatternMasks::kBlockRows - 3;
}
inline constexpr std::uint32_t kMostBandWords = 2;
inline constexpr std::uint32_t kMostBandEdits = most_edits_of_band(kMostBandWords);

// Distance of a text to the pattern, of `rows` symbols and longer than a block, when it is at most
// `most` (kMostBandEdits at most), else most + 1; of damerau, that of osa. Looks at the diagonals
// alone that a path of so few edits may go through: a word of rows, or two, which slides along the
// pattern. Strings that are far apart are told by the columns in which the bound is reached.
// Source: Ukkonen 1985; Hyyrö 2003, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau
// Edit Distances"; Hyyrö, AWOCA 2004.
[[nodiscard]] std::uint32_t distance_in_band(EditMeasure measure, PatternMasks& pattern,
                                             std::uint32_t rows, const SymbolSpan& text,
                                             std::uint32_t most);

}  // namespace sosie
