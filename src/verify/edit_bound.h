#pragma once

#include <cstdint>

#include "core/rational.h"
#include "sosie/strings.h"

namespace sosie {

// Bound on two strings: within a distance, or by a similarity, 1 - distance / length of
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

}  // namespace sosie
