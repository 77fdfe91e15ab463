#pragma once

#include <string_view>

#include "data/row_writer.h"

// Ids in formats that require UTF-8. (CSV and TSV can hold ids of any bytes.)
namespace sosie {

// Throws Error{malformed_input} for an id that is not valid UTF-8: if its bytes were replaced, ids
// of different rows could become equal. `format`: name in the message.
void require_utf8(const Cell& cell, std::string_view format);

}  // namespace sosie
