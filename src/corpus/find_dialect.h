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

// Options about the dialect of CSV files; what none says is found in each file.
struct DialectRules {
  std::optional<char> separator;
  std::optional<char> quote;  // '\0': none
  std::optional<char> escape;
  std::string column;               // the text: a field, or several joined; may be empty
  std::string id;                   // the field that names rows; may be empty
  std::vector<std::string> fields;  // others that the run names
  std::string delimiter_option = "--delimiter";  // option that says the separator of this file

  // True if nothing is left to find.
  [[nodiscard]] bool is_known() const noexcept { return separator && quote && escape; }
};
// `fields`: what is read of items that are no text.
[[nodiscard]] DialectRules dialect_rules(const Options& options,
                                         const std::vector<std::string>& fields);

// Lines above the header of a file, which are no rows: Excel's "sep=;", and behind it as many as
// --skip-lines says.
struct TitleLines {
  std::uint64_t begin = 0;  // behind any byte order mark
  std::uint64_t end = 0;    // where the header may begin; `begin` when there are none
  std::uint64_t lines = 0;
  char separator = '\0';  // that "sep=" names; '\0': none
};
// Throws Error{malformed_input} for a file with fewer lines, unless it is empty.
[[nodiscard]] TitleLines find_titles(const File& file, const Format& format,
                                     const ToldOfFile& told);

// Bytes behind the titles by which a dialect is told.
inline constexpr std::size_t kBytesOfDialect = std::size_t{64} << 10;

// The format of a CSV file in the dialect that its first rows have; any other format as it is. A
// dialect fits if all whole rows of the sample have as many fields as the header, and at least two.
// Ones whose header names the fields of the run go first; where none fits, it is the usual one.
// Double quotes go before escapes by backslashes, these before single quotes. `sample`:
// kBytesOfDialect from the titles' end on, or all there is, then `is_whole`. Throws
// Error{invalid_option} where two separators fit and give other fields.
[[nodiscard]] const Format& find_dialect(const std::string& name, const Format& format,
                                         std::string_view sample, bool is_whole,
                                         const DialectRules& rules);

// "';'", "tab": a character for messages.
[[nodiscard]] std::string shown_mark(char mark);

// "delimiter ';', quote none": a dialect for messages.
[[nodiscard]] std::string dialect_text(Dialect dialect);

}  // namespace sosie
