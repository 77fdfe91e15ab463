#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "write/table.h"

namespace sosie {

// A field that is added to rows that are otherwise written as they came.
struct AddedField {
  std::string_view name;
  Cell value;            // ignored when
  bool is_null = false;  // null in JSON, empty elsewhere
};

// A row of the table of formats whose rows can take more fields (added_fields.cc).
struct FieldAdder {
  std::string_view format;  // as read/formats.cc calls it
  // Adds the fields to a row without its line end, behind those it has. `separator`: of its fields,
  // for formats that have one.
  void (*add)(std::string& row, const std::vector<AddedField>& fields, char separator);
  // Adds their names to a header; null for formats without.
  void (*add_names)(std::string& header, const std::vector<AddedField>& fields, char separator);
};

// nullptr when rows of the format take no more fields.
[[nodiscard]] const FieldAdder* field_adder_for(std::string_view format) noexcept;

}  // namespace sosie
