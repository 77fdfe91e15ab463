#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <vector>

namespace sosie::python {

// Appends a row of a list as a line of JSON: an object with these names of its parts, one name
// being that of the row as a whole. `columns` empty: the row is a mapping, and named already.
// Elements of sets stand in the order of their texts. Throws Error{malformed_input} naming the row
// for a text with a lone surrogate; raises TypeError for what JSON has no form for, ValueError for
// another number of parts. Called with the interpreter's lock held.
void append_json_line(nanobind::handle row, const std::vector<std::string>& columns,
                      std::size_t number, std::string& out);

}  // namespace sosie::python
