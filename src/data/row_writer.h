#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/record.h"

namespace sosie {

// A number written with 6 decimals in text, and as it is elsewhere.
struct Decimal {
  double value;
};

// A row's id: in JSON and in columns it has the type it has in the input.
struct IdText {
  std::string_view text;
  bool is_integer = false;
};

// One value of a table row.
using Cell = std::variant<std::string_view, std::uint64_t, Decimal, bool, IdText>;

// A field that is added to rows that are otherwise written as they came.
struct AddedField {
  std::string_view name;
  Cell value;            // ignored when
  bool is_null = false;  // null in JSON, empty elsewhere
};

// Writes text rows of a format (write/NAME.cc): whole tables, and more fields of rows that came.
struct RowWriter {
  bool takes_note_line = false;  // before the header (data/table_note.h)
  // Appends the line that names the columns; nothing for formats without.
  void (*header)(std::string& out, std::span<const std::string> columns);
  // Appends a line of as many cells as columns.
  void (*row)(std::string& out, std::span<const std::string> columns, std::span<const Cell> cells);
  // Adds fields to a row without its line end, behind those it has. `dialect`: of its fields, for
  // formats that have one.
  void (*add)(std::string& row, const std::vector<AddedField>& fields, Dialect dialect);
  // Adds their names to a header; null for formats without.
  void (*add_names)(std::string& header, const std::vector<AddedField>& fields, Dialect dialect);
};

}  // namespace sosie
