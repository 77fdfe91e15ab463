#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/measure.h"

namespace sosie {

enum class EditMeasure : std::uint8_t;  // verify/edit_pattern.h

// A measure of strings. Made of a row of the table of measures (verify/measures.h). It is a
// distance; a bound may also be given as the similarity that EditBound makes of it.
struct StringMeasure {
  std::string_view name = {};
  bool is_similarity = false;
  EditMeasure edits = {};
};

// Rows of the table of measures.
[[nodiscard]] std::optional<StringMeasure> levenshtein_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<StringMeasure> indel_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<StringMeasure> osa_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<StringMeasure> damerau_measure(MeasureParameters parameters);

}  // namespace sosie
