#pragma once

#include <string_view>

namespace sosie {

// What a table says of itself: in TSV and CSV a line before the header that begins with the mark,
// in columnar files the value of this key of the metadata. JSONL has no place that is not a row.
inline constexpr std::string_view kTableNoteMark = "#sosie ";
inline constexpr std::string_view kTableNoteKey = "sosie";

}  // namespace sosie
