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

// Of tables in memory (Options::table): a row is the cell that holds its text.
[[nodiscard]] const Format& table_format() noexcept;

// The makers that the table names; one file each.
using Header = std::span<const std::string>;
[[nodiscard]] std::unique_ptr<RowParser> make_jsonl_parser(const FieldRequest& request,
                                                           Header header = {});
[[nodiscard]] std::vector<std::string> jsonl_field_names(std::string_view row);
[[nodiscard]] std::unique_ptr<RowParser> make_csv_parser(const FieldRequest& request,
                                                         Header header);
[[nodiscard]] std::vector<std::string> csv_field_names(std::string_view row);
[[nodiscard]] std::unique_ptr<RowParser> make_tsv_parser(const FieldRequest& request,
                                                         Header header);
[[nodiscard]] std::vector<std::string> tsv_field_names(std::string_view row);
[[nodiscard]] std::unique_ptr<RowParser> make_text_line_parser(const FieldRequest& request,
                                                               Header header = {});
[[nodiscard]] std::vector<std::string> text_line_field_names(std::string_view row);

}  // namespace sosie
