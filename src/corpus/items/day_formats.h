#pragma once

#include <string>

#include "data/record_table.h"

namespace sosie {

// Formats of day_of() by which a column's values are days, the commonest first, with '|' between
// them; by some ten thousand values. Empty for a column of which one value in twenty is no day.
[[nodiscard]] std::string day_formats_of(const RecordColumn& column);

// True if days of these columns are the same digits as they stand: both have the same format,
// without names of months.
[[nodiscard]] bool are_written_alike(const std::string& left_formats,
                                     const std::string& right_formats) noexcept;

}  // namespace sosie
