#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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
  edit_similarity,  // 1 - edits (osa) / the longer length
  number,           // |a - b|
  ratio,            // |a - b| / the greater of |a| and |b|
  nearness,         // share of random pairs whose numbers are as far apart or farther
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

}  // namespace sosie
