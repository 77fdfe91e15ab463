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

// nullptr if there is none. The format's extension may be followed by that of a compression (.gz,
// .zst).
[[nodiscard]] const Format* format_by_name(std::string_view name) noexcept;
[[nodiscard]] const Format* format_by_extension(std::string_view path) noexcept;
// The format that an input with this name may have, depending on its content. nullptr: none.
[[nodiscard]] const Format* format_looked_into(std::string_view path) noexcept;
// True for names of record files in folders: either of these.
[[nodiscard]] bool is_record_file(std::string_view path) noexcept;

// The format of a table (pairs, clusters, ...) by its extension. Throws Error{invalid_option} if
// the extension belongs to no format with tables.
[[nodiscard]] const Format& table_format_of(const std::string& path);

// True if the character may separate fields of CSV and TSV.
[[nodiscard]] bool is_separator(char c) noexcept;

// True if the character may quote fields of CSV, or be an escape in them: ASCII punctuation.
[[nodiscard]] bool is_quote(char c) noexcept;
[[nodiscard]] bool is_escape(char c) noexcept;

// Layout of a file with columns, for formats whose files may differ in it.
struct Layout {
  Dialect dialect = {};          // without a separator: the format's own
  bool has_header = true;        // else columns are numbered
  std::uint64_t skip_lines = 0;  // lines before the header

  friend auto operator<=>(const Layout&, const Layout&) = default;
};
[[nodiscard]] Layout layout_of(const Format& format) noexcept;

// CSV or TSV with another layout; any other format unchanged. The result lives as long as the
// program, and is the same object each time.
[[nodiscard]] const Format& with_layout(const Format& format, Layout layout);

// Name of a format in sketch files: its own name, followed by any unusual parts of the dialect of
// CSV or TSV.
[[nodiscard]] std::string saved_name(const Format& format);
// nullptr if there is none.
[[nodiscard]] const Format* format_by_saved_name(std::string_view name);

// Tables in memory (Options::table): a row is the cell that holds its text.
[[nodiscard]] const Format& table_format() noexcept;

}  // namespace sosie
