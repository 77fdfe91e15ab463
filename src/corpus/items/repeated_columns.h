#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/record_table.h"

namespace sosie {

// The columns, by their places, that each column repeats: nearly all of its words are theirs, and
// theirs are among its own, as in a full name beside its parts; of equal columns the later one
// repeats the earlier. Empty for a column that says something of its own. Of two collections `left`
// and `right` are the same fields in the same order, and both must agree; `right` may be empty. By
// some thousand records, spread evenly.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> repeated_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right);

}  // namespace sosie
