#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// _sosie.Index: sosie/index.h, as sosie/_index.py wants it.
void define_index(nanobind::module_& module);

}  // namespace sosie::python
