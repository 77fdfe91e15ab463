#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "kernels/edit_lanes.h"
#include "sosie/strings.h"
#include "verify/pattern_masks.h"

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

// One string, to be compared with many of the same column: its tables are made once. Memory: some
// words for each symbol of the alphabet, and O(length of the longer string).
class EditPattern {
 public:
  // Symbols of patterns are below `alphabet`; other strings may have further symbols. With `pool`,
  // which outlives this, a long comparison throws Error{cancelled} once the run is cancelled.
  EditPattern(EditMeasure measure, std::uint32_t alphabet, const ThreadPool* pool = nullptr);

  // Takes the string in place of the last one. It outlives the comparisons.
  void set(SymbolSpan pattern);

  // The distance to a string (whose symbols may be of another width), when it is at most `most`;
  // else a number above `most`.
  [[nodiscard]] std::uint32_t distance(SymbolSpan other, std::uint32_t most);

  // Strings that are compared at a time, if has_lanes().
  static constexpr std::size_t kLanes = kernels::kEditLanes;
  // True if distances() takes less time than distance() of each, when there are many strings.
  [[nodiscard]] bool has_lanes(std::uint32_t most) const noexcept;
  // Distances to each of some strings, as many as `distances`.
  void distances(std::span<const SymbolSpan> others, std::uint32_t most,
                 std::span<std::uint32_t> distances);

  // Distance of two strings, the left one in place of the last pattern: equal ends cost little.
  [[nodiscard]] std::uint32_t pair_distance(SymbolSpan left, SymbolSpan right, std::uint32_t most);

 private:
  // Levenshtein distance of strings of one byte a symbol, the left one of at most 64.
  [[nodiscard]] std::uint32_t by_bytes(const SymbolSpan& left, const SymbolSpan& right,
                                       std::uint32_t most);
  // Distance (damerau: that of osa), or any number above `most` if it is greater.
  [[nodiscard]] std::uint32_t by_bits(const SymbolSpan& other, std::uint32_t most);
  [[nodiscard]] std::uint32_t by_words(const SymbolSpan& other, std::uint32_t most);
  [[nodiscard]] std::uint32_t by_strips(const SymbolSpan& other, std::uint32_t most);
  [[nodiscard]] std::uint32_t damerau(const SymbolSpan& other, std::uint32_t most);

  EditMeasure measure_;
  std::uint32_t alphabet_;
  const ThreadPool* pool_;  // null: comparisons cannot be cancelled
  SymbolSpan pattern_;
  PatternMasks masks_;
  std::vector<std::uint64_t> byte_masks_;  // masks of by_bytes(); all 0 between its calls
  std::vector<std::uint8_t> carries_;      // from strip to strip, a column each
  std::vector<std::uint32_t> last_rows_;   // for damerau
  std::vector<std::uint32_t> rows_;        // for damerau
};

}  // namespace sosie
