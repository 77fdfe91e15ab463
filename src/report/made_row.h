#pragma once

#include <string>
#include <vector>

#include "data/format.h"
#include "data/row_writer.h"
#include "sosie/columns.h"

namespace sosie {

// A value as a field for another row. `is_json`: the value comes from JSON, so numbers, lists and
// objects are copied as written.
[[nodiscard]] AddedField field_of(std::string_view name, const FieldValue& value, bool is_json);

// A row with these fields in a format and its dialect, without a line end. The format must have a
// writer.
[[nodiscard]] std::string made_row(const Format& format, const std::vector<AddedField>& fields);

}  // namespace sosie
