#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// A measure for two values of a field. Similarities are from 0 to 1, and their bounds are minima;
// bounds on distances (edits, differences of numbers, days) are maxima.
enum class FieldMeasure : std::uint8_t {
  equal,
  jaro_winkler,
  cosine,  // cosine of the sets of 3-character sequences
  tfidf,   // cosine in which rare sequences count more
  levenshtein,
  damerau,
  edit_similarity,  // 1 - edits (osa) / the longer length
  number,           // |a - b|
  ratio,            // |a - b| / the larger of |a| and |b|
  nearness,         // share of random pairs whose numbers are at least this far apart
  days,
};

struct FieldMeasureName {
  std::string_view name;
  FieldMeasure measure;
  bool is_similarity;
};

// TABLE: measures of fields by name.
[[nodiscard]] std::vector<FieldMeasureName> field_measures();
[[nodiscard]] bool is_similarity(FieldMeasure measure) noexcept;

// The rule that assigns a level to two values of a field: 0 if one is missing, 1 if they differ, 2
// and above according to the bounds, loosest first, and the highest level if they are equal.
struct FieldComparison {
  FieldMeasure measure = FieldMeasure::equal;
  std::vector<double> bounds;  // strictest first

  [[nodiscard]] std::uint32_t levels() const noexcept {
    return static_cast<std::uint32_t>(bounds.size()) + 3;
  }
  [[nodiscard]] std::uint32_t highest() const noexcept { return levels() - 1; }
};

// Detects, without reading the texts, that two values of a column certainly differ by more than the
// loosest bound of a comparison, from their lengths and from the characters that occur in only one
// of them. Let two strings have x and y code points, of which a and b have no equal in the other
// string. Then at least max(a, b) edits are needed, with or without swaps of adjacent characters,
// and at most min(x - a, y - b) code points match in Jaro's sense. Thread-safe.
class ValueBounds {
 public:
  // Only edit distances and Jaro-Winkler allow certainty; for other measures, may_agree() is always
  // true. O(bytes of all values).
  ValueBounds(const RecordColumn& column, const FieldComparison& comparison);

  // False: the values have the level of different values. Both values must be present and not
  // equal.
  [[nodiscard]] bool may_agree(std::uint32_t left, std::uint32_t right) const noexcept {
    if (shapes_.empty()) return true;
    const Shape& a = shapes_[left];
    const Shape& b = shapes_[right];
    const std::uint32_t only_left = bits_in(a.letters & ~b.letters);
    const std::uint32_t only_right = bits_in(b.letters & ~a.letters);
    if (needed_.empty()) {
      const std::uint32_t longer = a.size > b.size ? a.size - b.size : b.size - a.size;
      const std::uint32_t most =
          by_length_ ? static_cast<std::uint32_t>(most_share_ * std::max(a.size, b.size))
                     : most_edits_;
      return longer <= most && only_left <= most && only_right <= most;
    }
    const std::uint32_t shared = std::min(a.size - only_left, b.size - only_right);
    return a.size >= kSizes || b.size >= kSizes || shared >= needed(a, b);
  }
  // Prefetches the data that may_agree() reads.
  void prefetch(std::uint32_t value) const noexcept {
    if (!shapes_.empty()) __builtin_prefetch(&shapes_[value]);
  }

  // Memory for the bounds of a column.
  [[nodiscard]] static std::uint64_t bytes_for(const RecordColumn& column,
                                               const FieldComparison& comparison) noexcept;

 private:
  struct Shape {
    std::uint64_t letters = 0;  // bits of the code points that it contains
    std::uint32_t prefix = 0;   // one byte of each of the first four code points
    std::uint32_t size = 0;     // code points
  };
  static constexpr std::uint32_t kSizes = 64;
  static constexpr std::uint32_t kPrefixes = 5;

  class LetterBits;

  // std::popcount() is a function call if the processor may lack the instruction.
  [[nodiscard]] static std::uint32_t bits_in(std::uint64_t word) noexcept {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return static_cast<std::uint32_t>(word * 0x0101010101010101 >> 56);
  }

  void fill_shapes(const RecordColumn& column);
  void fill_needed(double bound);
  // Minimum number of matching code points that can reach the bound.
  [[nodiscard]] std::uint32_t needed(const Shape& a, const Shape& b) const noexcept {
    const std::uint32_t shared =
        static_cast<std::uint32_t>(std::countr_zero(a.prefix ^ b.prefix)) / 8;
    return needed_[(a.size * kSizes + b.size) * kPrefixes + shared];
  }

  std::vector<Shape> shapes_;
  std::uint32_t most_edits_ = 0;
  bool by_length_ = false;  // the maximum number of edits is a share of the longer length
  double most_share_ = 0;
  std::vector<std::uint8_t> needed_;  // by sizes and equal leading code points, up to four
};

}  // namespace sosie
