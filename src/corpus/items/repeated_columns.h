#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// The columns, by position, that each column repeats: nearly all of its words (0.9) also occur in
// columns of its record with fewer words, as in a full name next to its parts, but not in longer
// ones; if columns are equal, the later one repeats the earlier. Empty for a column with
// information of its own. For two collections `left` and `right` are the same fields in the same
// order, and both must agree; `right` may be empty. Based on a few thousand records, spread evenly;
// O(words of these).
[[nodiscard]] std::vector<std::vector<std::uint32_t>> repeated_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right);

// The column, by position, that determines each column: records with equal values there nearly
// always have equal values here (0.95 of what the most common value does not explain), and on
// average at least 30 records share a value, apart from the most common one, so that these are not
// copies of one record. A district determines the county; among columns that determine each other,
// such as a code and its name, the later one counts as determined. For two collections `left` and
// `right` are the same fields in the same order, and both must agree; `right` may be empty. Empty
// for a column with information of its own. Based on a few thousand records, spread evenly;
// O(records of these · columns of few values²).
[[nodiscard]] std::vector<std::optional<std::uint32_t>> followed_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right);

}  // namespace sosie
