#pragma once

#include <string_view>

namespace sosie {

// The note of a table on its making: in TSV and CSV a line before the header that begins with the
// mark, in columnar files the value of this metadata key. JSONL has no place that is not a row.
inline constexpr std::string_view kTableNoteMark = "#sosie ";
inline constexpr std::string_view kTableNoteKey = "sosie";

}  // namespace sosie
