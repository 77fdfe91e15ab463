#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// A capsule "arrow_array_stream" (Arrow C stream interface) of one record batch with these columns:
// one-dimensional contiguous numpy arrays of int64, uint64, float64 or bool, all of the same
// length, or lists of str and None. Copies; the capsule depends on nothing.
nanobind::object arrow_stream(const nanobind::dict& columns);

}  // namespace sosie::python
