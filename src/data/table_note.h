#pragma once

#include <string_view>

namespace sosie {

// A note that describes how a table was made. In TSV and CSV, it is a line before the header that
// begins with this mark; in columnar files, it is the value of this metadata key. JSONL has no
// place for a note outside its rows.
inline constexpr std::string_view kTableNoteMark = "#sosie ";
inline constexpr std::string_view kTableNoteKey = "sosie";

// True if the first line of a CSV or TSV file is such a note ("#sosie threshold=0.9") rather than a
// header.
[[nodiscard]] constexpr bool is_table_note(std::string_view line) noexcept {
  return line.starts_with(kTableNoteMark);
}

}  // namespace sosie
