#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// The columns, by their places, that each column repeats: nearly all of its words (.9) stand in
// columns of fewer words of its record, as in a full name beside its parts, never in longer ones;
// of equal columns the later one repeats the earlier. Empty for a column that says something of its
// own. Of two collections `left` and `right` are the same fields in the same order, and both must
// agree; `right` may be empty. By some thousand records, spread evenly; O(words of these).
[[nodiscard]] std::vector<std::vector<std::uint32_t>> repeated_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right);

// The column, by its place, from which each column follows: records with one value there nearly
// always have one value here (.95 of what the commonest value does not explain), and at least 30
// records share a value on average, the commonest apart, so that these are no copies of one record.
// The county follows from the district; of columns that follow from each other, such as a code and
// its name, the later one follows. Of two collections `left` and `right` are the same fields in the
// same order, and both must agree; `right` may be empty. Nothing for a column that says something
// of its own. By some thousand records, spread evenly; O(records of these · columns of few
// values²).
[[nodiscard]] std::vector<std::optional<std::uint32_t>> followed_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right);

}  // namespace sosie
