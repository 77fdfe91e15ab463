#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sosie::python {

// Appends a row of a list as a line of JSON: an object whose members have these names; a single
// name stands for the row as a whole. If `columns` is empty, the row is a mapping and already has
// names. Elements of sets are ordered by their texts. Throws Error{malformed_input}, naming the
// row, for a text with a lone surrogate; raises TypeError for values that JSON cannot represent,
// and ValueError for a different number of parts. Call with the interpreter's lock held.
void append_json_line(nanobind::handle row, const std::vector<std::string>& columns,
                      std::size_t number, std::string& out);

}  // namespace sosie::python
