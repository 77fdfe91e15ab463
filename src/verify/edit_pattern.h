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

// A bound for two strings: either a maximum distance or a minimum similarity, where the similarity
// is 1 - distance / length of the longer string (for indel: the length of both strings together).
struct EditBound {
  EditMeasure measure = EditMeasure::levenshtein;
  bool by_similarity = false;
  std::uint32_t within = 0;
  Rational threshold = {};

  // The maximum distance allowed for strings of these lengths.
  [[nodiscard]] std::uint32_t most_edits(std::uint32_t left, std::uint32_t right) const noexcept;
  // For strings of these lengths, the distance itself or, if by_similarity, the similarity (1 for
  // two empty strings).
  [[nodiscard]] double value(std::uint32_t left, std::uint32_t right,
                             std::uint32_t distance) const noexcept;
};

// A string to be compared with many strings in the same column, so that its tables are built only
// once. Memory: a few words for each symbol of the alphabet, and O(length of the longer string).
class EditPattern {
 public:
  // Symbols of patterns must be below `alphabet`; the other strings may contain further symbols. If
  // `pool` is given (it must outlive this object), a long comparison throws Error{cancelled} once
  // the run is cancelled.
  EditPattern(EditMeasure measure, std::uint32_t alphabet, const ThreadPool* pool = nullptr);

  // Replaces the pattern. The string must outlive the comparisons.
  void set(SymbolSpan pattern);

  // The distance to a string, whose symbols may have another width, if it is at most `most`;
  // otherwise, any number above `most`.
  [[nodiscard]] std::uint32_t distance(SymbolSpan other, std::uint32_t most);

  // Number of strings compared at a time, if has_lanes().
  static constexpr std::size_t kLanes = kernels::kEditLanes;
  // True if, for many strings, distances() is faster than calls of distance().
  [[nodiscard]] bool has_lanes(std::uint32_t most) const noexcept;
  // Distances to several strings, one for each element of `distances`.
  void distances(std::span<const SymbolSpan> others, std::uint32_t most,
                 std::span<std::uint32_t> distances);

  // The distance of two strings; the left one becomes the pattern. Equal beginnings and ends cost
  // little.
  [[nodiscard]] std::uint32_t pair_distance(SymbolSpan left, SymbolSpan right, std::uint32_t most);

 private:
  // Levenshtein distance of strings with one byte per symbol; `left` has at most 64 symbols.
  [[nodiscard]] std::uint32_t by_bytes(const SymbolSpan& left, const SymbolSpan& right,
                                       std::uint32_t most);
  // The distance (damerau: the distance by osa), or any number above `most` if it is greater.
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
  std::vector<std::uint8_t> carries_;      // from strip to strip, one per column
  std::vector<std::uint32_t> last_rows_;   // for damerau
  std::vector<std::uint32_t> rows_;        // for damerau
};

}  // namespace sosie
