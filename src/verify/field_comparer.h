#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "data/record_table.h"
#include "data/token_sets.h"
#include "verify/value_bounds.h"

namespace sosie {

// Day number of YYYYMMDD, counted from an arbitrary day.
[[nodiscard]] std::int64_t day_number(std::string_view day) noexcept;

// Sets of the 3-character sequences in the values of a column.
struct CharacterSets {
  std::vector<std::uint64_t> starts{0};  // value v: elements[starts[v] .. starts[v + 1])
  std::vector<std::uint32_t> elements;   // by value, ascending
  std::uint32_t different = 0;           // number of distinct elements; all elements are below it
  // Weights of the elements for tfidf: log(1 + records / records that contain the element), divided
  // by the length of the vector of these weights for the value.
  std::vector<float> weights;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t value) const noexcept {
    return std::span(elements).subspan(starts[value], starts[value + 1] - starts[value]);
  }
};

// Distances between the numbers of random pairs of records.
struct NumberSpread {
  std::vector<double> numbers;    // by value
  std::vector<double> distances;  // ascending
  // True if distances are |a - b| / the larger of |a| and |b|. This is used for non-negative
  // amounts of many magnitudes, whose deviation exceeds half of their mean. Otherwise, distances
  // are |a - b|.
  bool by_ratio = false;

  // Distance of two values.
  [[nodiscard]] double distance(std::uint32_t left, std::uint32_t right) const noexcept;
  // Share of the random pairs that are at least this far apart.
  [[nodiscard]] double nearness(double distance) const noexcept;
};

// The data that a measure compares in addition to the texts of values; parts that are not needed
// are empty.
struct ComparedValues {
  CharacterSets sets;
  CharacterSets brief;  // sets of the first columns (RecordColumn::brief_bytes); may be empty
  NumberSpread spread;
};

// Prepares the data for a measure. `left`: number of left records, or 0 for a single collection.
[[nodiscard]] ComparedValues compared_values(const RecordColumn& column, FieldMeasure measure,
                                             std::uint32_t left);

// The level of two values that are present and not equal, given their similarity or distance.
[[nodiscard]] std::uint32_t level_of_value(const FieldComparison& comparison, double value);

// Compares values of a column. Thread-safe.
class FieldComparer {
 public:
  // All arguments must outlive this object. `values` and `bounds` must be for this column and
  // comparison.
  FieldComparer(const RecordColumn& column, const FieldComparison& comparison,
                const ComparedValues& values, const ValueBounds* bounds = nullptr)
      : column_(&column), comparison_(&comparison), values_(&values), bounds_(bounds) {}

  // Level of two values of the column.
  [[nodiscard]] std::uint32_t level(std::uint32_t left, std::uint32_t right) const {
    if (left == RecordColumn::kMissing || right == RecordColumn::kMissing) return 0;
    if (left == right) return comparison_->highest();
    if (bounds_ != nullptr && !bounds_->may_agree(left, right)) return 1;
    return level_of_texts(left, right);
  }
  // Prefetches the data of a value that level() reads first.
  void prefetch(std::uint32_t value) const noexcept {
    if (bounds_ != nullptr) bounds_->prefetch(value);
  }
  // Closeness within a level, from 0 to 1: a similarity itself, or 1 / (1 + d) for a distance d; 1
  // for equal values; 0 if one is missing.
  [[nodiscard]] double closeness(std::uint32_t left, std::uint32_t right) const;
  // Similarity or distance between two values, neither of which may be missing.
  [[nodiscard]] double value(std::uint32_t left, std::uint32_t right) const;

 private:
  [[nodiscard]] std::uint32_t level_of_texts(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] std::uint32_t edits(std::string_view left, std::string_view right) const;

  const RecordColumn* column_;
  const FieldComparison* comparison_;
  const ComparedValues* values_;
  const ValueBounds* bounds_;
};

// A level is stored in a byte of a pattern (data/level_patterns.h).
inline constexpr std::uint32_t kMostLevels = 64;
inline constexpr std::size_t kMostComparedFields = 512;

// The level of two records in a field whose values have variants: the best level among the values
// themselves, the values with the right value's columns swapped, the members of lists, and the
// values with nicknames in place of names. A nickname counts as one edit, so that the level is
// below that of equal values. `compared` compares values of the column.
[[nodiscard]] std::uint32_t level_of_variants(const RecordColumn& column,
                                              const FieldComparison& comparison,
                                              const FieldComparer& compared, std::uint32_t left,
                                              std::uint32_t right);
// Number of edits (insertions and deletions) between the nearest of such variants; a nickname
// counts as one edit. If the number exceeds `most`, the result may be any larger number.
[[nodiscard]] std::uint32_t edits_of_variants(const RecordColumn& column, std::uint32_t left,
                                              std::uint32_t right, std::uint32_t most);

}  // namespace sosie
