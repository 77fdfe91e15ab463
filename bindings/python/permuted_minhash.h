#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

void define_permuted_minhash(nanobind::module_& module);

}  // namespace sosie::python
