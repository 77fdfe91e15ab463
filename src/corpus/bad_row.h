#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"

namespace sosie {

// Hint for a bad row that stops a run.
inline constexpr const char* kWaysRoundBadRows =
    "--on-bad-row skip leaves such rows out, keep passes them through";

// Throws Error{malformed_input} for an unreadable row, with the line of the fault and the reason.
// If a field is missing, the hint lists the existing fields, nearest first. If the file contains
// JSON of another shape, the error says so. If standard input does not even begin with JSON, the
// hint suggests --format; if the header looks as if another character divided it, --delimiter.
// Otherwise the hint is `hint`, preceded by options for other quotes if the reason concerns quotes.
[[noreturn]] void throw_bad_row(const Inputs& inputs, const BadRow& bad, const std::string& hint);

// An unreadable row, with its bytes.
struct UnreadRow {
  const Format& format;
  const ToldOfFile& told;
  std::string_view bytes;
  std::string place;  // position of the fault
  std::string reason;
  const std::vector<std::string>* header = nullptr;  // the names in it, for formats with a header
};
[[noreturn]] void throw_bad_row(const UnreadRow& bad, const std::string& hint);

inline constexpr const char* kWayToLines =
    "tr '\\r' '\\n' < FILE > LINES turns carriage returns into line breaks";

// True if the row contains a carriage return that is not followed by a line feed.
[[nodiscard]] bool has_lone_return(std::string_view row) noexcept;

// A hint for a header with a single column that another separator would split; otherwise empty.
[[nodiscard]] std::string delimiter_hint(const Format& format,
                                         const std::vector<std::string>& names,
                                         const ToldOfFile& told);

// A hint for a requested field that is missing or occurs more than once.
[[nodiscard]] std::string fields_there(const std::vector<std::string>& names,
                                       const std::string& field, const ToldOfFile& told);

}  // namespace sosie
