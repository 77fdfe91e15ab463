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

// Day number of YYYYMMDD, counted from an arbitrary one.
[[nodiscard]] std::int64_t day_number(std::string_view day) noexcept;

// Sets of 3 characters in a row of the values of a column.
struct CharacterSets {
  std::vector<std::uint64_t> starts{0};  // value v: elements[starts[v] .. starts[v + 1])
  std::vector<std::uint32_t> elements;   // by value, ascending
  std::uint32_t different = 0;           // elements are below
  // Weights of the elements for tfidf: log(1 + records / records that have it), divided by the
  // length of the value's vector of these.
  std::vector<float> weights;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t value) const noexcept {
    return std::span(elements).subspan(starts[value], starts[value + 1] - starts[value]);
  }
};

// Distances of the numbers of random pairs of records.
struct NumberSpread {
  std::vector<double> numbers;    // by value
  std::vector<double> distances;  // ascending
  // True where distances are |a - b| / the greater of |a| and |b|: amounts of many magnitudes, none
  // below 0, whose deviation is more than half of their mean. Else they are |a - b|.
  bool by_ratio = false;

  // Distance of two values.
  [[nodiscard]] double distance(std::uint32_t left, std::uint32_t right) const noexcept;
  // Share of the random pairs that are as far apart or farther.
  [[nodiscard]] double nearness(double distance) const noexcept;
};

// Things that a measure compares besides the texts of values; what it does not need is empty.
struct ComparedValues {
  CharacterSets sets;
  CharacterSets brief;  // sets of the first columns (RecordColumn::brief_bytes); empty: of none
  NumberSpread spread;
};

// Makes what a measure compares. `left`: number of left records, 0: there is one collection.
[[nodiscard]] ComparedValues compared_values(const RecordColumn& column, FieldMeasure measure,
                                             std::uint32_t left);

// Level of two values that are there and not equal, by their similarity or distance.
[[nodiscard]] std::uint32_t level_of_value(const FieldComparison& comparison, double value);

// Compares values of one column. Safe for many threads at once.
class FieldComparer {
 public:
  // All arguments outlive this. `values`, `bounds`: of the column and the comparison.
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
  // Asks for what level() reads of a value first.
  void prefetch(std::uint32_t value) const noexcept {
    if (bounds_ != nullptr) bounds_->prefetch(value);
  }
  // Closeness within a level, from 0 to 1: 1 for equal values, 0 if one is missing, a similarity as
  // it is, 1 / (1 + d) of a distance.
  [[nodiscard]] double closeness(std::uint32_t left, std::uint32_t right) const;
  // Similarity or distance of two values that are there.
  [[nodiscard]] double value(std::uint32_t left, std::uint32_t right) const;

 private:
  [[nodiscard]] std::uint32_t level_of_texts(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] std::uint32_t edits(std::string_view left, std::string_view right) const;

  const RecordColumn* column_;
  const FieldComparison* comparison_;
  const ComparedValues* values_;
  const ValueBounds* bounds_;
};

// A level takes a byte of a pattern (data/level_patterns.h).
inline constexpr std::uint32_t kMostLevels = 64;
inline constexpr std::size_t kMostComparedFields = 512;

// Level of two records in a field whose values have variants: the best one of the values as they
// are and with the columns of the right one changed about, of the members of lists, and of the
// values with nicknames in place of names. A nickname counts as one edit: with one, the level is
// below the one of equal values. `compared`: compares values of the column by the comparison.
[[nodiscard]] std::uint32_t level_of_variants(const RecordColumn& column,
                                              const FieldComparison& comparison,
                                              const FieldComparer& compared, std::uint32_t left,
                                              std::uint32_t right);
// Edits (insertions and deletions) between the nearest such values; a nickname counts as one. More
// than `most` need not be told apart.
[[nodiscard]] std::uint32_t edits_of_variants(const RecordColumn& column, std::uint32_t left,
                                              std::uint32_t right, std::uint32_t most);

}  // namespace sosie
