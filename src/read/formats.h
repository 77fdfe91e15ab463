#pragma once

#include <span>
#include <string_view>

#include "data/format.h"

namespace sosie {

// The table of input formats, in the order the documentation lists them.
[[nodiscard]] std::span<const Format> formats() noexcept;

// nullptr when there is none. The extension of a compression (.gz, .zst) may stand behind the
// format's.
[[nodiscard]] const Format* format_by_name(std::string_view name) noexcept;
[[nodiscard]] const Format* format_by_extension(std::string_view path) noexcept;

// Whether the first line of a CSV or TSV file says what a table of this program was made with
// ("#sosie threshold=0.9"): it is no header.
[[nodiscard]] bool is_table_note(std::string_view line) noexcept;

// Whether fields of CSV and TSV may be separated by it.
[[nodiscard]] bool is_separator(char c) noexcept;

// CSV or TSV with another separator of fields ('\0': its own) and perhaps no header; any other
// format as it is. The result lives as long as the program, and is the same object each time.
[[nodiscard]] const Format& dialect_of(const Format& format, char separator, bool has_header);

// A format as files of sketches name it: its own name, behind which a dialect of CSV and TSV says
// what is unusual.
[[nodiscard]] std::string saved_name(const Format& format);
// nullptr when there is none.
[[nodiscard]] const Format* format_by_saved_name(std::string_view name);

// Of tables in memory (Options::table): a row is the cell that holds its text.
[[nodiscard]] const Format& table_format() noexcept;

// The makers that the table names; one file each.
using Header = std::span<const std::string>;
[[nodiscard]] std::unique_ptr<RowParser> make_jsonl_parser(const FieldRequest& request,
                                                           Header header = {});
[[nodiscard]] std::vector<std::string> jsonl_field_names(std::string_view row,
                                                         char separator = '\0');
[[nodiscard]] std::unique_ptr<RowParser> make_csv_parser(const FieldRequest& request,
                                                         Header header);
[[nodiscard]] std::vector<std::string> csv_field_names(std::string_view row, char separator = '\0');
[[nodiscard]] std::unique_ptr<RowParser> make_tsv_parser(const FieldRequest& request,
                                                         Header header);
[[nodiscard]] std::vector<std::string> tsv_field_names(std::string_view row, char separator = '\0');
[[nodiscard]] std::unique_ptr<RowParser> make_text_line_parser(const FieldRequest& request,
                                                               Header header = {});
[[nodiscard]] std::vector<std::string> text_line_field_names(std::string_view row,
                                                             char separator = '\0');

}  // namespace sosie
