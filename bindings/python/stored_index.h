#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// _sosie.StoredIndex: sosie/stored_index.h in the form needed by sosie/_stored_index.py.
void define_stored_index(nanobind::module_& module);

}  // namespace sosie::python
