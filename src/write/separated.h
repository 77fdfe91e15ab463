#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/row_writer.h"

// Rows of cells with separators between them, for formats that differ only in the separator and in
// quoting (write/csv.cc, write/tsv.cc). Also converts a cell to text for any format.
namespace sosie {

using AppendText = void (*)(std::string& out, std::string_view text);

// Appends a cell: texts as `quote` writes them, other values unquoted.
void append_cell(std::string& out, const Cell& cell, AppendText quote);

// Appends a cell in this dialect, which may differ from the format's default. Throws
// Error{unsupported} if a text must be quoted but the dialect has no quotes.
void append_in_dialect(std::string& row, const Cell& cell, Dialect dialect, AppendText quote);

template <char kSeparator, AppendText kQuote>
void separated_header(std::string& out, std::span<const std::string> columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += kSeparator;
    kQuote(out, columns[i]);
  }
  out += '\n';
}

template <char kSeparator, AppendText kQuote>
void separated_row(std::string& out, std::span<const std::string> /*columns*/,
                   std::span<const Cell> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += kSeparator;
    append_cell(out, cells[i], kQuote);
  }
  out += '\n';
}

template <AppendText kQuote>
void append_separated(std::string& out, const Cell& value, Dialect dialect) {
  append_in_dialect(out, value, dialect, kQuote);
}

template <AppendText kQuote>
void add_separated(std::string& row, const std::vector<AddedField>& fields, Dialect dialect) {
  for (const AddedField& field : fields) {
    row += dialect.separator;
    append_in_dialect(row, field.is_null ? Cell{std::string_view{}} : field.value, dialect, kQuote);
  }
}

template <AppendText kQuote>
void add_separated_names(std::string& header, const std::vector<AddedField>& fields,
                         Dialect dialect) {
  for (const AddedField& field : fields) {
    header += dialect.separator;
    append_in_dialect(header, field.name, dialect, kQuote);
  }
}

template <char kSeparator, AppendText kQuote>
inline constexpr RowWriter kSeparatedWriter = {
    .takes_note_line = true,
    .header = separated_header<kSeparator, kQuote>,
    .row = separated_row<kSeparator, kQuote>,
    .value = append_separated<kQuote>,
    .add = add_separated<kQuote>,
    .add_names = add_separated_names<kQuote>,
};

}  // namespace sosie
