// Composes rows from fields in the format of an input.
#include "report/made_row.h"

namespace sosie {

AddedField field_of(std::string_view name, const FieldValue& value, bool is_json) {
  if (value.kind == FieldValue::Kind::missing) return {name, {}, true};
  if (is_json && value.kind != FieldValue::Kind::text) return {name, IdText{value.text, true}};
  return {name, value.text};
}

std::string made_row(const Format& format, const std::vector<AddedField>& fields) {
  std::string out = format.has_columns() ? "" : "{}";
  format.writer->add(out, fields, format.dialect);
  if (format.has_columns()) out.erase(0, 1);  // a separator precedes each field
  return out;
}

}  // namespace sosie
