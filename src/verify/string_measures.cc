// Rows of the table of measures that are of strings.
#include "verify/string_measures.h"

#include "verify/edit_pattern.h"

namespace sosie {

std::optional<StringMeasure> levenshtein_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::levenshtein};
}

std::optional<StringMeasure> indel_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::indel};
}

std::optional<StringMeasure> osa_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::osa};
}

std::optional<StringMeasure> damerau_measure(MeasureParameters /*parameters*/) {
  return StringMeasure{.edits = EditMeasure::damerau};
}

}  // namespace sosie
