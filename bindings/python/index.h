#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// _sosie.Index: sosie/index.h in the form needed by sosie/_index.py.
void define_index(nanobind::module_& module);

}  // namespace sosie::python
