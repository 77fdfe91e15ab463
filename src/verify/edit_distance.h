#pragma once

#include <cstdint>
#include <string_view>

#include "core/rational.h"
#include "data/string_column.h"

namespace sosie {

// What an edit of a string is: the insertion or deletion of a symbol; but for indel, also its
// replacement; for osa and damerau, also the swap of two neighbours (osa edits no symbol twice, so
// it breaks the triangle inequality; damerau may, and keeps it). MMDS 3.5.5; Levenshtein 1966;
// Damerau 1964; Lowrance, Wagner 1975.
enum class EditMeasure : std::uint8_t { levenshtein, indel, osa, damerau };

// How far apart two strings may be: within a distance, or by a similarity, 1 - distance / length of
// the longer one (of indel: of both).
struct EditBound {
  EditMeasure measure = EditMeasure::levenshtein;
  bool by_similarity = false;
  std::uint32_t within = 0;
  Rational threshold = {};

  // The largest distance that strings of these lengths may have.
  [[nodiscard]] std::uint32_t most_edits(std::uint32_t left, std::uint32_t right) const noexcept;
  // The distance of strings of these lengths or, by_similarity, their similarity (of two empty
  // strings: 1).
  [[nodiscard]] double value(std::uint32_t left, std::uint32_t right,
                             std::uint32_t distance) const noexcept;
};

// One string, to be compared with many of the same column: its tables are made once.
class EditPattern {
 public:
  // Symbols of patterns are below `alphabet`; those of others may be above.
  EditPattern(EditMeasure measure, std::uint32_t alphabet);

  // Takes the string in place of the last one. It outlives the comparisons.
  void set(SymbolSpan pattern);

  // The distance to a string (whose symbols may be of another width), when it is at most `most`;
  // else a number above `most`.
  [[nodiscard]] std::uint32_t distance(SymbolSpan other, std::uint32_t most);

 private:
  EditMeasure measure_;
  std::uint32_t alphabet_;
  SymbolSpan pattern_;
};

}  // namespace sosie
