#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"

namespace sosie {

// The way out of a bad row that stops a run.
inline constexpr const char* kWaysRoundBadRows =
    "--on-bad-row skip leaves such rows out, keep passes them through";

// Ends the run for a row that cannot be read: Error{malformed_input} with the line where the
// trouble lies and the reason. If that is about a field that is not there, the fields there are
// (the nearest of them first) are the hint; if the file holds JSON of another shape, that is the
// error; if standard input does not even begin with JSON, --format is the hint; if the header looks
// as if it were cut by another character, --delimiter is; else `hint`, behind options that read
// quotes in another way where the reason is about quotes.
[[noreturn]] void throw_bad_row(const Inputs& inputs, const BadRow& bad, const std::string& hint);

// A row that could not be read, with its bytes.
struct UnreadRow {
  const Format& format;
  const ToldOfFile& told;
  std::string_view bytes;
  std::string place;  // where the trouble lies
  std::string reason;
  const std::vector<std::string>* header = nullptr;  // the names in it, of a format that has one
};
[[noreturn]] void throw_bad_row(const UnreadRow& bad, const std::string& hint);

inline constexpr const char* kWayToLines =
    "tr '\\r' '\\n' < FILE > LINES makes lines where carriage returns alone end them";

// True if there is a carriage return that stands in front of no line feed.
[[nodiscard]] bool has_lone_return(std::string_view row) noexcept;

// A way out where the one column there is looks like several between another character; else empty.
[[nodiscard]] std::string delimiter_hint(const Format& format,
                                         const std::vector<std::string>& names,
                                         const ToldOfFile& told);

// A hint for who asked for a field that is not there, or not once.
[[nodiscard]] std::string fields_there(const std::vector<std::string>& names,
                                       const std::string& field, const ToldOfFile& told);

}  // namespace sosie
