#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// _sosie.sketch_batch and related functions: sosie/batches.h in the form needed by
// sosie/_batches.py.
void define_batches(nanobind::module_& module);

}  // namespace sosie::python
