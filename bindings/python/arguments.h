#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "sosie/options.h"

namespace sosie::python {

// Options from keyword arguments, named and checked by the option table: `on_bad_row="skip"` is
// --on-bad-row skip. None leaves the default. Numbers, booleans, Fractions, paths and lists of
// these are converted to their command-line form. Throws Error{invalid_option}; raises TypeError,
// with the nearest keyword, for a keyword that `verb` does not have.
Options options_from_python(const Verb& verb, const nanobind::dict& keywords);

// The row of the verb table with this name, which must exist.
const Verb& verb_called(std::string_view name);

// Makes rows passed by Python an input of `options`: its `table`, or its `paths`, which may name a
// file in memory. For None, sets nothing.
void take_rows(const nanobind::object& data, Options& options, std::vector<std::string>& paths,
               std::shared_ptr<const Table>& table);

// Text of an argument. For a list, its members are joined with commas, and commas in several names
// are escaped. Throws Error{invalid_option} for text that is not valid UTF-8.
[[nodiscard]] std::string text_of_argument(const std::string& name, nanobind::handle value);

}  // namespace sosie::python
