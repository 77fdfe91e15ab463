#pragma once

#include <cstdint>

#include "data/record_table.h"
#include "verify/field_comparer.h"

namespace sosie {

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
