#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "data/record_table.h"
#include "data/token_sets.h"

namespace sosie {

// Measure by which two values of a field are compared. Similarities lie in 0 to 1, levels of these
// are the least ones; distances have greatest ones: edits, differences of numbers, days.
enum class FieldMeasure : std::uint8_t {
  equal,
  jaro_winkler,
  cosine,  // cosine of the sets of 3 characters in a row
  tfidf,   // cosine with rare characters counting more
  levenshtein,
  damerau,
  number,  // |a - b|
  ratio,   // |a - b| / the greater of |a| and |b|
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

// Rule that gives two values of a field a level: 0 if one is missing, 1 if they differ, 2 and up
// for the bounds, loosest first, and the highest one for equal values.
struct FieldComparison {
  FieldMeasure measure = FieldMeasure::equal;
  std::vector<double> bounds;  // strictest first

  [[nodiscard]] std::uint32_t levels() const noexcept {
    return static_cast<std::uint32_t>(bounds.size()) + 3;
  }
  [[nodiscard]] std::uint32_t highest() const noexcept { return levels() - 1; }
};

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

// Compares values of one column. Belongs to one thread.
class FieldComparer {
 public:
  // All arguments outlive this. `sets`: of the column and the measure.
  FieldComparer(const RecordColumn& column, const FieldComparison& comparison,
                const CharacterSets& sets)
      : column_(&column), comparison_(&comparison), sets_(&sets) {}

  // Level of two values of the column.
  [[nodiscard]] std::uint32_t level(std::uint32_t left, std::uint32_t right) const;
  // Closeness within a level, from 0 to 1: 1 for equal values, 0 if one is missing, a similarity as
  // it is, 1 / (1 + d) of a distance.
  [[nodiscard]] double closeness(std::uint32_t left, std::uint32_t right) const;
  // Similarity or distance of two values that are there.
  [[nodiscard]] double value(std::uint32_t left, std::uint32_t right) const;

 private:
  [[nodiscard]] double of_sets(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] std::uint32_t edits(std::string_view left, std::string_view right) const;

  const RecordColumn* column_;
  const FieldComparison* comparison_;
  const CharacterSets* sets_;
};

// Levels of all fields of two records, packed into one number: the pattern of the pair. Field f
// stands in bits [3f, 3f + 3).
using LevelPattern = std::uint64_t;
inline constexpr std::uint32_t kBitsOfLevel = 3;
inline constexpr std::uint32_t kMostLevels = 1U << kBitsOfLevel;
inline constexpr std::size_t kMostComparedFields = 64 / kBitsOfLevel;

[[nodiscard]] constexpr std::uint32_t level_of(LevelPattern pattern, std::size_t field) noexcept {
  return static_cast<std::uint32_t>(pattern >> kBitsOfLevel * field) & (kMostLevels - 1);
}
[[nodiscard]] constexpr LevelPattern with_level(std::size_t field, std::uint32_t level) noexcept {
  return LevelPattern{level} << kBitsOfLevel * field;
}

}  // namespace sosie
