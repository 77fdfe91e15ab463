#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

void define_string_functions(nanobind::module_& module);

}  // namespace sosie::python
