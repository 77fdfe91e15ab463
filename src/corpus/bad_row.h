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
// If a field is missing, the hint lists the existing fields (nearest first); if the file contains
// JSON of another shape, that is the error; if standard input does not even begin with JSON, the
// hint is --format; if the header looks as if it were divided by another character, it is
// --delimiter; otherwise `hint`, after options for other quotes if the reason is about quotes.
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

// True if there is a carriage return that is not followed by a line feed.
[[nodiscard]] bool has_lone_return(std::string_view row) noexcept;

// A hint if the only column looks like several with another separator; else empty.
[[nodiscard]] std::string delimiter_hint(const Format& format,
                                         const std::vector<std::string>& names,
                                         const ToldOfFile& told);

// A hint for a requested field that is missing or not unique.
[[nodiscard]] std::string fields_there(const std::vector<std::string>& names,
                                       const std::string& field, const ToldOfFile& told);

}  // namespace sosie
