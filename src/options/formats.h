#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/format.h"

namespace sosie {

// The table of formats, in the order of the documentation.
[[nodiscard]] std::span<const Format> formats() noexcept;

// nullptr if there is no such format. The extension may be followed by the extension of a
// compression (.gz, .zst).
[[nodiscard]] const Format* format_by_name(std::string_view name) noexcept;
[[nodiscard]] const Format* format_by_extension(std::string_view path) noexcept;
// The format of an input with this name, provided that its content fits; nullptr if there is none.
[[nodiscard]] const Format* format_looked_into(std::string_view path) noexcept;
// True if a file with this name in a folder is a record file: its name or its content indicates a
// format.
[[nodiscard]] bool is_record_file(std::string_view path) noexcept;

// The format of a table (pairs, clusters, ...), by its extension. Throws Error{invalid_option} if
// no format for tables has this extension.
[[nodiscard]] const Format& table_format_of(const std::string& path);

// True if the character can separate the fields of CSV and TSV.
[[nodiscard]] bool is_separator(char c) noexcept;

// True if the character can be a quote or an escape in CSV: ASCII punctuation.
[[nodiscard]] bool is_quote(char c) noexcept;
[[nodiscard]] bool is_escape(char c) noexcept;

// The layout of a file with columns, for formats whose files differ in it.
struct Layout {
  Dialect dialect = {};          // without a separator: the format's default
  bool has_header = true;        // otherwise, columns are numbered
  std::uint64_t skip_lines = 0;  // lines before the header

  friend auto operator<=>(const Layout&, const Layout&) = default;
};
[[nodiscard]] Layout layout_of(const Format& format) noexcept;

// Returns CSV or TSV with another layout; returns any other format unchanged. The result exists
// until the program ends and is the same object for the same arguments.
[[nodiscard]] const Format& with_layout(const Format& format, Layout layout);

// The name of a format in sketch files: its own name, followed, for CSV or TSV, by whatever is
// unusual about the dialect.
[[nodiscard]] std::string saved_name(const Format& format);
// nullptr if there is no such format.
[[nodiscard]] const Format* format_by_saved_name(std::string_view name);

// The format of tables in memory (Options::table), where a row is the cell that contains its text.
[[nodiscard]] const Format& table_format() noexcept;

}  // namespace sosie
