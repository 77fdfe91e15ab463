#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/format.h"

namespace sosie {

// The table of formats, in the order the documentation lists them.
[[nodiscard]] std::span<const Format> formats() noexcept;

// nullptr when there is none. The extension of a compression (.gz, .zst) may stand behind the
// format's.
[[nodiscard]] const Format* format_by_name(std::string_view name) noexcept;
[[nodiscard]] const Format* format_by_extension(std::string_view path) noexcept;
// The format that an input of this name may have: it has to be looked into. nullptr: none.
[[nodiscard]] const Format* format_looked_into(std::string_view path) noexcept;
// True for a name that a file of records in a folder may have: either of these.
[[nodiscard]] bool is_record_file(std::string_view path) noexcept;

// The format of a table (pairs, clusters, ...) by the end of its path. Throws
// Error{invalid_option} when the extension is of none that has tables.
[[nodiscard]] const Format& table_format_of(const std::string& path);

// True if the character may separate fields of CSV and TSV.
[[nodiscard]] bool is_separator(char c) noexcept;

// True if the character may stand around fields of CSV, or be an escape in them: punctuation of
// ASCII.
[[nodiscard]] bool is_quote(char c) noexcept;
[[nodiscard]] bool is_escape(char c) noexcept;

// Layout of a file with columns, where the files of one format may differ.
struct Layout {
  Dialect dialect = {};          // without a separator: that of the format
  bool has_header = true;        // or their columns are numbered
  std::uint64_t skip_lines = 0;  // lines in front of the header

  friend auto operator<=>(const Layout&, const Layout&) = default;
};
[[nodiscard]] Layout layout_of(const Format& format) noexcept;

// CSV or TSV with another layout; any other format as it is. The result lives as long as the
// program, and is the same object each time.
[[nodiscard]] const Format& with_layout(const Format& format, Layout layout);

// A format as files of sketches name it: its own name, behind which a dialect of CSV and TSV says
// what is unusual.
[[nodiscard]] std::string saved_name(const Format& format);
// nullptr when there is none.
[[nodiscard]] const Format* format_by_saved_name(std::string_view name);

// Tables in memory (Options::table): a row is the cell that holds its text.
[[nodiscard]] const Format& table_format() noexcept;

}  // namespace sosie
