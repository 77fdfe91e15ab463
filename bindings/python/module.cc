// The functions and classes that Python sees.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "arguments.h"
#include "arrow_export.h"
#include "arrow_ipc_codec.h"
#include "batches.h"
#include "command.h"
#include "index.h"
#include "memory_rows.h"
#include "numpy_arrays.h"
#include "permuted_minhash.h"
#include "python_files.h"
#include "python_table.h"
#include "run.h"
#include "sosie/error.h"
#include "sosie/link.h"
#include "sosie/row_names.h"
#include "sosie/signatures.h"
#include "sosie/similarity.h"
#include "sosie/version.h"
#include "stored_index.h"
#include "string_functions.h"
#include "wording.h"

// The boundary between Python and the library, as plain functions; the public interface is in
// sosie/*.py.
namespace nb = nanobind;
using namespace nb::literals;

namespace sosie::python {
namespace {

using SharedTable = std::shared_ptr<Table>;

// Arguments of every verb: paths or tables, keywords from the option table, a progress callback.
struct Call {
  Options options;
  nb::object progress;

  Call(std::string_view verb, const nb::object& data, const nb::object& against,
       const nb::dict& keywords, nb::object on_progress)
      : options(options_from_python(verb_called(verb), keywords)),
        progress(std::move(on_progress)) {
    take_rows(data, options, options.inputs, options.table);
    take_rows(against, options, options.against, options.against_table);
  }

  nb::dict report(const RunReport& run) const {
    nb::dict out;
    out["rows"] = run.rows;
    out["removed"] = run.removed;
    out["summary"] = run.summary;
    out["stats"] = run.stats;
    out["value_name"] = run.value_name;
    return out;
  }
};

// Converts bytes from files to str; replaces invalid UTF-8.
nb::object text_of(std::string_view text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

nb::list texts_of(const std::vector<std::string>& texts) {
  nb::list out;
  for (const std::string& text : texts) out.append(text_of(text));
  return out;
}

// Ids as str. A byte that is not UTF-8 becomes a surrogate (PEP 383), so different ids stay
// different.
nb::list names_of(const std::vector<std::string>& ids) {
  nb::list out;
  for (const std::string& id : ids) {
    out.append(nb::steal(
        PyUnicode_DecodeUTF8(id.data(), static_cast<Py_ssize_t>(id.size()), "surrogateescape")));
  }
  return out;
}

nb::dict run_dedup(const nb::object& data, const nb::object& against, const nb::dict& keywords,
                   nb::object progress) {
  Call call("dedup", data, against, keywords, std::move(progress));
  RowDecisions decisions;
  RunHooks hooks;
  hooks.decisions = &decisions;
  call.options.dry_run = call.options.output.empty();
  nb::dict out = call.report(run_interruptibly(
      call.progress, hooks, [&](const RunHooks& all) { return dedup(call.options, all); }));
  out["survivor"] = to_numpy(std::move(decisions.survivor));
  out["value"] = to_numpy(std::move(decisions.similarity));
  out["identical"] = to_numpy(decisions.identical);
  return out;
}

// Runs a verb that finds pairs.
nb::dict find_pairs(Call& call, RunReport (*verb)(const Options&, const RunHooks&)) {
  RowPairs found;
  RunHooks hooks;
  hooks.pairs = &found;
  nb::dict out = call.report(run_interruptibly(
      call.progress, hooks, [&](const RunHooks& all) { return verb(call.options, all); }));
  out["left"] = to_numpy(std::move(found.left));
  out["right"] = to_numpy(std::move(found.right));
  out["value"] = to_numpy(std::move(found.similarity));
  return out;
}

nb::dict run_pairs(const nb::object& data, const nb::object& against, const nb::dict& keywords,
                   nb::object progress) {
  Call call("pairs", data, against, keywords, std::move(progress));
  return find_pairs(call, pairs);
}

nb::dict run_query(const nb::object& data, const nb::object& items, const nb::dict& keywords,
                   nb::object progress) {
  Call call("query", items, data, keywords, std::move(progress));
  Options& options = call.options;  // DATA stands in front of the items
  options.inputs.insert(options.inputs.begin(), options.against.begin(), options.against.end());
  options.against.clear();
  return find_pairs(call, query);
}

nb::object run_similarity(const nb::object& left, const nb::object& right,
                          const nb::dict& keywords) {
  Call call("pairs", left, right, keywords, nb::none());
  std::vector<double> values;
  RunHooks hooks;
  run_interruptibly(call.progress, hooks, [&](const RunHooks& all) {
    values = similarities(call.options, all);
    return RunReport{};
  });
  return to_numpy(std::move(values));
}

nb::dict run_cluster(const nb::object& pairs, const nb::dict& keywords) {
  Call call("cluster", pairs, nb::none(), keywords, nb::none());
  ItemGroups groups;
  RunHooks hooks;
  hooks.groups = &groups;
  const RunReport report = run_interruptibly(
      call.progress, hooks, [&](const RunHooks& all) { return cluster(call.options, all); });
  nb::dict out;
  out["summary"] = report.summary;
  out["id"] = names_of(groups.id);
  out["cluster_id"] = names_of(groups.survivor);
  out["size"] = to_numpy(std::move(groups.size));
  return out;
}

// Ids of a collection, and True if they are whole numbers; None if its rows have only numbers.
nb::object ids_of(const std::vector<std::string>& ids, bool are_integers) {
  if (ids.empty()) return nb::none();
  return nb::make_tuple(names_of(ids), are_integers);
}

nb::dict run_link(const nb::object& data, const nb::object& against, const nb::dict& keywords,
                  bool wants_pairs, nb::object progress) {
  Call call("link", data, against, keywords, std::move(progress));
  LinkedRows found;
  found.wants_pairs = wants_pairs;
  RunHooks hooks;
  nb::dict out = call.report(run_interruptibly(call.progress, hooks, [&](const RunHooks& all) {
    return link_rows(call.options, all, found);
  }));
  out["left"] = to_numpy(std::move(found.left));
  out["right"] = to_numpy(std::move(found.right));
  out["score"] = to_numpy(std::move(found.score));
  out["probability"] = to_numpy(std::move(found.probability));
  out["rules"] = to_numpy(std::move(found.rules));
  out["levels"] = to_numpy(std::move(found.levels));
  out["rule_names"] = texts_of(found.rule_names);
  out["fields"] = texts_of(found.fields);
  nb::list level_names;
  for (const std::vector<std::string>& names : found.level_names) {
    level_names.append(texts_of(names));
  }
  out["level_names"] = level_names;
  out["bits"] = to_numpy(std::move(found.bits));
  out["record"] = to_numpy(std::move(found.record));
  out["cluster"] = to_numpy(std::move(found.cluster));
  out["size"] = to_numpy(std::move(found.size));
  out["weakest"] = to_numpy(std::move(found.weakest));
  out["left_ids"] = ids_of(found.left_ids, found.left_ids_are_integers);
  out["right_ids"] = ids_of(found.right_ids, found.right_ids_are_integers);
  out["rules_text"] = text_of(found.rules_text);
  return out;
}

// Names of the rows; None if they have only numbers.
nb::object run_row_names(const nb::object& data, bool looks_only, const nb::dict& keywords) {
  Call call("dedup", data, nb::none(), keywords, nb::none());
  RowNameList list;
  RunHooks hooks;
  run_interruptibly(call.progress, hooks, [&](const RunHooks& all) {
    list = row_names(call.options, looks_only, all);
    return RunReport{};
  });
  if (!list.are_named) return nb::none();
  return nb::make_tuple(names_of(list.names), list.are_integers);
}

// A matrix of rows x components.
nb::object run_minhash(const nb::object& data, int components, const nb::dict& keywords) {
  Call call("pairs", data, nb::none(), keywords, nb::none());
  auto values = std::make_unique<std::vector<std::uint32_t>>();
  RunHooks hooks;
  run_interruptibly(call.progress, hooks, [&](const RunHooks& all) {
    *values = minhash_signatures(call.options, components, all);
    return RunReport{};
  });
  const auto columns = static_cast<std::size_t>(components);
  const std::size_t rows = values->size() / columns;
  std::uint32_t* start = values->data();
  const nb::capsule owner(values.release(), [](void* p) noexcept {
    delete static_cast<std::vector<std::uint32_t>*>(p);
  });
  return nb::cast(
      nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<2>>(start, {rows, columns}, owner));
}

std::string run_plan(const nb::object& data, const nb::object& against, const nb::dict& keywords) {
  Call call("plan", data, against, keywords, nb::none());
  RunHooks hooks;
  return run_interruptibly(call.progress, hooks,
                           [&](const RunHooks& all) { return plan(call.options, all); })
      .summary;
}

std::string run_explain(const nb::object& data, const nb::object& against, const std::string& left,
                        const std::string& right, const nb::dict& keywords) {
  Call call("explain", data, against, keywords, nb::none());
  RunHooks hooks;
  return run_interruptibly(
             call.progress, hooks,
             [&](const RunHooks& all) { return explain(call.options, left, right, all); })
      .summary;
}

// True for a column of texts, numbers or booleans; for other columns, each row reports an error.
bool holds_values(const Table& table, std::size_t column) {
  return table.rows() == 0 || table.value(column, 0).kind != FieldValue::Kind::other;
}

nb::list values_of(const Table& table, std::size_t column, const std::vector<std::uint64_t>& rows) {
  nb::list values;
  for (const std::uint64_t row : rows) {
    if (row >= table.rows()) throw nb::index_error("no such row");
    const FieldValue value = table.value(column, row);
    switch (value.kind) {
      case FieldValue::Kind::text:
        values.append(text_of(value.text));
        break;
      case FieldValue::Kind::number:
        values.append(nb::cast(static_cast<double>(value.number)));
        break;
      default:
        values.append(nb::none());
    }
  }
  return values;
}

// All options of a verb, as keywords.
std::vector<std::string> keywords(std::string_view verb) {
  std::vector<std::string> names;
  for (const OptionRow& row : option_table()) {
    if (!has_any(row.verbs, verb_called(verb).bit)) continue;
    names.emplace_back(row.name);
    std::replace(names.back().begin(), names.back().end(), '-', '_');
  }
  return names;
}

// True if this option is followed by a value on a command line; false for flags, options with an
// optional value, and unknown options.
bool takes_value(std::string_view option) {
  const OptionRow* row = find_option(option);
  for (const OptionRow& each : option_table()) {
    if (each.letter != 0 && option == std::string_view(&each.letter, 1)) row = &each;
  }
  return row != nullptr && row->type != OptionType::flag && row->implied.empty();
}

std::string default_of(const std::string& option) {
  return std::string(find_option(option)->default_text);
}

// Text of a value in command-line form, if the option accepts it.
std::string checked_option(const std::string& option, const nb::handle& value) {
  Options options;
  std::string text = text_of_argument(option, value);
  set_option(options, option, text);
  return text;
}

std::string hint_for(std::string_view keyword, std::string_view verb) {
  for (const Verb& known : verb_table()) {
    if (known.name == verb) return in_keywords(option_hint(keyword, known.bit));
  }
  return in_keywords(
      option_hint(keyword, kAllVerbs));  // a function that is no verb of the command line
}

// Runs the command line in this process. `share`: folder with the demo's sample.
int run_command(const std::vector<std::string>& arguments, const std::string& share) {
  std::vector<std::string> own = arguments;
  std::vector<char*> pointers;
  pointers.reserve(own.size());
  for (std::string& argument : own) pointers.push_back(argument.data());
  const cli::Installed installed{&python_table_files(), "sosie", share};
  const nb::gil_scoped_release unlocked;
  return cli::run_command(pointers, installed);
}

// Translates errors to the classes of sosie/errors.py, by kind; a cancelled run raises
// KeyboardInterrupt.
void translate(const std::exception_ptr& error, void* /*payload*/) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::cancelled) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      return;
    }
    static constexpr const char* kClasses[] = {"OptionError", "UnsupportedError", "InputError",
                                               "FileError", "LimitError"};
    const nb::object type =
        nb::module_::import_("sosie.errors").attr(kClasses[static_cast<int>(e.kind())]);
    const auto or_none = [](const std::string& text) {
      return text.empty() ? nb::object(nb::none()) : text_of(text);
    };
    const nb::object raised =
        type(text_of(message_of(e)), "option"_a = or_none(keyword_of(e.option())),
             "place"_a = or_none(e.place()), "hint"_a = or_none(in_keywords(e.hint())));
    PyErr_SetObject(type.ptr(), raised.ptr());
  }
}

}  // namespace
}  // namespace sosie::python

NB_MODULE(_sosie, m) {
  using namespace sosie::python;
  nb::register_exception_translator(translate);
  m.attr("__version__") = sosie::version();
  m.attr("recipe_version") = sosie::recipe_version();
  nb::class_<sosie::Table>(m, "Table")
      .def("__len__", &sosie::Table::rows)
      .def_prop_ro("column_names", &sosie::Table::column_names)
      .def("holds_text", &sosie::Table::holds_text, "column"_a)
      .def("holds_values", holds_values, "column"_a)
      .def("values", values_of, "column"_a, "rows"_a);
  m.def(
      "table",
      [](const nb::object& data) {
        return std::const_pointer_cast<sosie::Table>(table_from_python(data));
      },
      "data"_a.none());
  m.def(
      "joined_names",
      [](const nb::handle& column) {
        return sosie::joined_names(text_of_argument("column", column));
      },
      "column"_a);
  m.def(
      "text_of_option",
      [](const std::string& name, const nb::handle& value) {
        return text_of_argument(name, value);
      },
      "name"_a, "value"_a);
  m.def("dedup", run_dedup, "data"_a, "against"_a.none(), "options"_a, "progress"_a.none());
  m.def("pairs", run_pairs, "data"_a, "against"_a.none(), "options"_a, "progress"_a.none());
  m.def("query", run_query, "data"_a, "items"_a, "options"_a, "progress"_a.none());
  m.def("cluster", run_cluster, "pairs"_a, "options"_a);
  m.def("link", run_link, "data"_a, "against"_a.none(), "options"_a, "pairs"_a,
        "progress"_a.none());
  m.def("similarity", run_similarity, "left"_a, "right"_a, "options"_a);
  m.def("minhash", run_minhash, "data"_a, "components"_a, "options"_a);
  m.def("row_names", run_row_names, "data"_a, "looks_only"_a, "options"_a);
  m.def("plan", run_plan, "data"_a.none(), "against"_a.none(), "options"_a);
  m.def("explain", run_explain, "data"_a, "against"_a.none(), "left"_a, "right"_a, "options"_a);
  m.def("keywords", keywords, "verb"_a);
  m.def("takes_value", takes_value, "option"_a);
  m.def("default_of", default_of, "option"_a);
  m.def("checked_option", checked_option, "option"_a, "value"_a);
  m.def("option_hint", hint_for, "keyword"_a, "verb"_a);
  m.def("run_command", run_command, "arguments"_a, "share"_a);
  m.def("arrow_ipc_codec", sosie::arrow_files::arrow_ipc_codec, "path"_a);
  m.def("table_batch_rows", sosie::table_batch_rows, "bytes"_a, "rows"_a);
  m.attr("ROW_GROUP_BYTES") = sosie::kRowGroupBytes;
  m.attr("ROW_GROUP_ROWS") = sosie::kRowGroupRows;
  m.attr("ARROW_BATCH_ROWS") = sosie::kArrowBatchRows;
  define_batches(m);
  define_index(m);
  define_memory_rows(m);
  define_permuted_minhash(m);
  define_stored_index(m);
  define_string_functions(m);
  m.def("arrow_stream", arrow_stream, "columns"_a);
}
