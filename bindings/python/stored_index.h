#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// _sosie.StoredIndex: sosie/stored_index.h, as sosie/_stored_index.py wants it.
void define_stored_index(nanobind::module_& module);

}  // namespace sosie::python
