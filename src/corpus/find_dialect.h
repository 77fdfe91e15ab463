#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/format.h"
#include "io/file.h"
#include "options/input_list.h"
#include "sosie/options.h"

namespace sosie {

// Options that concern the dialect of CSV files. Properties that are not set are detected file by
// file.
struct DialectRules {
  std::optional<char> separator;
  std::optional<char> quote;  // '\0': none
  std::optional<char> escape;
  std::string column;               // the text: a field, or several joined; may be empty
  std::string id;                   // the field that names rows; may be empty
  std::vector<std::string> fields;  // other fields named by the run
  std::string delimiter_option = "--delimiter";  // option for the separator of this file

  // True if there is nothing to detect.
  [[nodiscard]] bool is_known() const noexcept { return separator && quote && escape; }
};
// `fields`: the fields that are read if items are not text.
[[nodiscard]] DialectRules dialect_rules(const Options& options,
                                         const std::vector<std::string>& fields);

// Lines above the header of a file that are not rows: Excel's "sep=;", then as many lines as
// --skip-lines requests.
struct TitleLines {
  std::uint64_t begin = 0;  // after any byte order mark
  std::uint64_t end = 0;    // start of the header; `begin` if there are no titles
  std::uint64_t lines = 0;
  char separator = '\0';  // named by "sep="; '\0': none
};
// Throws Error{malformed_input} for a file that is not empty but has fewer lines.
[[nodiscard]] TitleLines find_titles(const File& file, const Format& format,
                                     const ToldOfFile& told);

// Number of bytes after the titles from which a dialect is detected.
inline constexpr std::size_t kBytesOfDialect = std::size_t{64} << 10;

// Returns the format of a CSV file in the dialect of its first rows; any other format is returned
// unchanged. A dialect fits if all complete rows of the sample have as many fields as the header,
// and at least two. Dialects whose header contains the run's fields are preferred; if none fits,
// the usual dialect is returned. Double quotes are preferred to escapes by backslashes, and these
// to single quotes. `sample`: kBytesOfDialect after the titles, or the rest of the file if
// `is_whole`. Throws Error{invalid_option} if two separators fit and yield different fields.
[[nodiscard]] const Format& find_dialect(const std::string& name, const Format& format,
                                         std::string_view sample, bool is_whole,
                                         const DialectRules& rules);

// A character as shown in messages: "';'", "tab".
[[nodiscard]] std::string shown_mark(char mark);

// A dialect as shown in messages: "delimiter ';', quote none".
[[nodiscard]] std::string dialect_text(Dialect dialect);

}  // namespace sosie
