#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/record.h"

namespace sosie {

// A number that is written with 6 decimals in text formats and exactly in columnar ones.
struct Decimal {
  double value;
};

// The id of a row. In JSON and columnar files, it has the same type as in the input.
struct IdText {
  std::string_view text;
  bool is_integer = false;
};

// One value of a table row.
using Cell = std::variant<std::string_view, std::uint64_t, Decimal, bool, IdText>;

// A field added to rows that are otherwise written unchanged.
struct AddedField {
  std::string_view name;
  Cell value;            // ignored if null
  bool is_null = false;  // null in JSON, empty elsewhere
};

// Writes text rows in a format (write/NAME.cc): whole tables, and existing rows with added fields.
struct RowWriter {
  bool takes_note_line = false;  // before the header (data/table_note.h)
  // Appends the line of column names; nothing for formats without a header.
  void (*header)(std::string& out, std::span<const std::string> columns);
  // Appends a line with one cell per column.
  void (*row)(std::string& out, std::span<const std::string> columns, std::span<const Cell> cells);
  // Appends a value in the form that it has in a row. `dialect`: the dialect of the row, for
  // formats that have dialects.
  void (*value)(std::string& out, const Cell& value, Dialect dialect);
  // Adds fields at the end of a row, given without its line end. `dialect`: the dialect of the row,
  // for formats that have dialects.
  void (*add)(std::string& row, const std::vector<AddedField>& fields, Dialect dialect);
  // Adds the names of the fields to a header; null for formats without a header.
  void (*add_names)(std::string& header, const std::vector<AddedField>& fields, Dialect dialect);
};

}  // namespace sosie
