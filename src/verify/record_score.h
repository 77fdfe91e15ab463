#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "data/record_table.h"
#include "data/token_sets.h"
#include "verify/field_comparison.h"
#include "verify/value_bounds.h"

namespace sosie {

// Day number of YYYYMMDD, counted from an arbitrary one.
[[nodiscard]] std::int64_t day_number(std::string_view day) noexcept;

// Sets of 3 characters in a row of the values of a column.
struct CharacterSets {
  HashedSets sets;             // by value
  std::vector<float> weights;  // weights of elements for tfidf: log(records / records that have
                               // it), divided by the length of the value's vector of these
};

// Makes the sets that a measure compares, and nothing for a measure that compares none.
[[nodiscard]] CharacterSets character_sets(const RecordColumn& column, FieldMeasure measure);

// Compares values of one column. Safe for many threads at once.
class FieldComparer {
 public:
  // All arguments outlive this. `sets`, `bounds`: of the column and the comparison.
  FieldComparer(const RecordColumn& column, const FieldComparison& comparison,
                const CharacterSets& sets, const ValueBounds* bounds = nullptr)
      : column_(&column), comparison_(&comparison), sets_(&sets), bounds_(bounds) {}

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
  [[nodiscard]] double of_sets(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] std::uint32_t edits(std::string_view left, std::string_view right) const;

  const RecordColumn* column_;
  const FieldComparison* comparison_;
  const CharacterSets* sets_;
  const ValueBounds* bounds_;
};

// A level takes a byte of a pattern (data/level_patterns.h).
inline constexpr std::uint32_t kMostLevels = 64;
inline constexpr std::size_t kMostComparedFields = 512;

}  // namespace sosie
