#pragma once

#include <nanobind/nanobind.h>

#include "sosie/options.h"

namespace sosie::python {

// Options from keyword arguments, named and checked by the table of options: `on_bad_row="skip"` is
// --on-bad-row skip. None leaves the default. Numbers, booleans, Fractions, paths and lists of
// these become the text that a command line would have. Throws Error{invalid_option}; raises
// TypeError for a keyword that `verb` does not take, with the nearest one.
Options options_from_python(const Verb& verb, const nanobind::dict& keywords);

// The row of the table of verbs. The name must be one.
const Verb& verb_called(std::string_view name);

}  // namespace sosie::python
