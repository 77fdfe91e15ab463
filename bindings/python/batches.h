#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// _sosie.sketch_batch and its neighbours: sosie/batches.h, as sosie/_batches.py wants them.
void define_batches(nanobind::module_& module);

}  // namespace sosie::python
