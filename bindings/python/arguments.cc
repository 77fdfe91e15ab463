// Converts Python keywords to options.
#include "arguments.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "memory_rows.h"
#include "sosie/columns.h"
#include "sosie/error.h"
#include "sosie/option_values.h"
#include "wording.h"

namespace nb = nanobind;

namespace sosie::python {

namespace {

bool is_sequence(nb::handle value) {
  return PyList_Check(value.ptr()) != 0 || PyTuple_Check(value.ptr()) != 0;
}

// Escapes commas in a name with backslashes unless they are already escaped.
std::string with_escaped_commas(std::string_view name) {
  std::string written;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == ',') written += '\\';
    written += name[at];
    if (name[at] == '\\' && at + 1 < name.size()) written += name[++at];
  }
  return written;
}

std::string joined_text(const std::string& name, nb::handle values) {
  const bool are_several = nb::len(values) > 1;
  std::string joined;
  for (const nb::handle value : values) {
    const std::string text = text_of_argument(name, value);
    joined += (joined.empty() ? "" : ",") + (are_several ? with_escaped_commas(text) : text);
  }
  return joined;
}

}  // namespace

std::string text_of_argument(const std::string& name, nb::handle value) {
  if (is_sequence(value)) return joined_text(name, value);
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True ? "true" : "false";
  const bool is_path = nb::hasattr(value, "__fspath__");
  const nb::str text(is_path ? value.attr("__fspath__")() : nb::borrow(value));
  Py_ssize_t size = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (utf8 == nullptr) {
    PyErr_Clear();
    throw Error(ErrorKind::invalid_option, RefusedOption{name},
                "the value contains a lone surrogate");
  }
  return {utf8, static_cast<std::size_t>(size)};
}

namespace {

std::string with_hyphens(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// True for an option that accepts several values as one text.
bool joins_values(const OptionRow& row) {
  return takes_comma_list(row) || row.name == "column" || row.name == "other-column";
}

void set(Options& options, const std::string& name, nb::handle value) {
  const OptionRow& row = *find_option(name);
  const bool is_one = !is_sequence(value) || (row.type != OptionType::list && nb::len(value) == 0);
  if (is_one || joins_values(row)) {
    return set_option(options, name, text_of_argument(name, value));
  }
  std::vector<std::string> values;
  for (const nb::handle item : value) values.push_back(text_of_argument(name, item));
  set_option_values(options, name, values);
}

}  // namespace

const Verb& verb_called(std::string_view name) {
  const auto verbs = verb_table();
  return *std::find_if(verbs.begin(), verbs.end(),
                       [&](const Verb& verb) { return verb.name == name; });
}

Options options_from_python(const Verb& verb, const nb::dict& keywords) {
  Options options;
  for (const auto [key, value] : keywords) {
    const std::string keyword = nb::str(key).c_str();
    const std::string name = with_hyphens(keyword);
    const OptionRow* row = find_option(name);
    if (row == nullptr || !has_any(row->verbs, verb.bit)) {
      const std::string hint = option_hint(name, verb.bit);
      throw nb::type_error((std::string(verb.name) + "() got an unexpected keyword argument '" +
                            keyword + "'" + (hint.empty() ? "" : ": " + in_keywords(hint)))
                               .c_str());
    }
    if (!value.is_none()) set(options, name, value);
  }
  return options;
}

void take_rows(const nb::object& data, Options& options, std::vector<std::string>& paths,
               std::shared_ptr<const Table>& table) {
  if (data.is_none()) return;
  if (nb::isinstance<Table>(data)) {
    table = nb::cast<std::shared_ptr<Table>>(data);
  } else if (nb::isinstance<MemoryRows>(data)) {
    const auto& rows = nb::cast<const MemoryRows&>(data);
    paths = {rows.path(options.memory_files.size())};
    options.memory_files.emplace(paths.front(), rows.file);
  } else {
    paths = nb::cast<std::vector<std::string>>(data);
  }
}

}  // namespace sosie::python
