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

// Options for the dialect of CSV files; properties not given are detected in each file.
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
// `fields`: fields of items that are not text.
[[nodiscard]] DialectRules dialect_rules(const Options& options,
                                         const std::vector<std::string>& fields);

// Lines above the header of a file that are not rows: Excel's "sep=;", followed by the number of
// lines given by --skip-lines.
struct TitleLines {
  std::uint64_t begin = 0;  // after any byte order mark
  std::uint64_t end = 0;    // start of the header; `begin` if there are no titles
  std::uint64_t lines = 0;
  char separator = '\0';  // named by "sep="; '\0': none
};
// Throws Error{malformed_input} for a file with fewer lines, unless it is empty.
[[nodiscard]] TitleLines find_titles(const File& file, const Format& format,
                                     const ToldOfFile& told);

// Number of bytes after the titles from which a dialect is detected.
inline constexpr std::size_t kBytesOfDialect = std::size_t{64} << 10;

// The format of a CSV file in the dialect of its first rows; any other format unchanged. A dialect
// fits if all complete rows of the sample have as many fields as the header, and at least two.
// Dialects whose header contains the fields of the run take precedence; if none fits, the usual one
// is returned. Double quotes precede escapes by backslashes, which precede single quotes. `sample`:
// kBytesOfDialect after the titles, or the rest of the file if `is_whole`. Throws
// Error{invalid_option} if two separators fit and give different fields.
[[nodiscard]] const Format& find_dialect(const std::string& name, const Format& format,
                                         std::string_view sample, bool is_whole,
                                         const DialectRules& rules);

// "';'", "tab": a character in messages.
[[nodiscard]] std::string shown_mark(char mark);

// "delimiter ';', quote none": a dialect in messages.
[[nodiscard]] std::string dialect_text(Dialect dialect);

}  // namespace sosie
