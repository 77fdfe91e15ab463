#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/cell.h"
#include "data/dialect.h"

namespace sosie {

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
