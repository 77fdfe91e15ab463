#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/format.h"

namespace sosie {

// The parsers for text rows, each in a file of its own; the table in options/format_table.h lists
// them.
using Header = std::span<const std::string>;
[[nodiscard]] std::unique_ptr<RowParser> make_jsonl_row_parser(const FieldRequest& request,
                                                               Header header = {});
[[nodiscard]] std::vector<std::string> jsonl_field_names(std::string_view row,
                                                         Dialect dialect = {});
[[nodiscard]] std::string_view jsonl_written_value(std::string_view row, std::string_view name,
                                                   Header header = {}, Dialect dialect = {});
[[nodiscard]] std::unique_ptr<RowParser> make_csv_row_parser(const FieldRequest& request,
                                                             Header header);
[[nodiscard]] std::vector<std::string> csv_field_names(std::string_view row, Dialect dialect = {});
[[nodiscard]] std::string_view csv_written_value(std::string_view row, std::string_view name,
                                                 Header header, Dialect dialect = {});
[[nodiscard]] std::unique_ptr<RowParser> make_tsv_row_parser(const FieldRequest& request,
                                                             Header header);
[[nodiscard]] std::vector<std::string> tsv_field_names(std::string_view row, Dialect dialect = {});
[[nodiscard]] std::string_view tsv_written_value(std::string_view row, std::string_view name,
                                                 Header header, Dialect dialect = {});
[[nodiscard]] std::unique_ptr<RowParser> make_text_row_parser(const FieldRequest& request,
                                                              Header header = {});
[[nodiscard]] std::vector<std::string> text_line_field_names(std::string_view row,
                                                             Dialect dialect = {});
[[nodiscard]] std::unique_ptr<RowParser> make_warc_row_parser(const FieldRequest& request,
                                                              Header header = {});
[[nodiscard]] std::vector<std::string> warc_field_names(std::string_view row, Dialect dialect = {});
[[nodiscard]] std::unique_ptr<RowParser> make_fps_row_parser(const FieldRequest& request,
                                                             Header header = {});
[[nodiscard]] std::vector<std::string> fps_field_names(std::string_view row, Dialect dialect = {});

}  // namespace sosie
