#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "sosie/arrow_c_data.h"
#include "sosie/columns.h"

namespace sosie::python {

// True if the object provides Arrow data. Call with the interpreter's lock held.
bool has_arrow_stream(nanobind::handle data);
ArrowArrayStream arrow_stream_of(nanobind::handle data);

// Raises TypeError because rows cannot be read from this object.
[[noreturn]] void throw_no_rows(nanobind::handle data);

// Rows that Python hands over, without copying the texts:
// - an Arrow object (`__arrow_c_stream__`, `__arrow_c_array__`);
// - a list of str and None, as a table of one column without a name. It is held on to.
// Raises TypeError for anything else. Called with the interpreter's lock held.
std::shared_ptr<const Table> table_from_python(nanobind::handle data);

}  // namespace sosie::python
