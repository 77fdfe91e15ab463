// Python's class StoredIndex: an index on disk that stays open.
#include "stored_index.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "arguments.h"
#include "memory_rows.h"
#include "numpy_arrays.h"
#include "python_json.h"
#include "run.h"
#include "sosie/error.h"
#include "sosie/stored_index.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sosie::python {
namespace {

void run(const std::function<void(const RunHooks&)>& work) {
  RunHooks hooks;
  run_interruptibly(nb::none(), hooks, [&](const RunHooks& all) {
    work(all);
    return RunReport{};
  });
}

nb::object text_of(const std::string& text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

// An id in Python form: a whole number if the rows have such ids.
nb::object id_of(const StoredHit& hit) {
  if (!hit.id_is_integer) return text_of(hit.id);
  return nb::steal(PyLong_FromString(hit.id.c_str(), nullptr, 10));
}

// Rows as lines of JSON.
struct Lines {
  std::vector<std::string> owned;
  std::vector<std::string_view> rows;
};

[[noreturn]] void refuse_ids(std::size_t ids, std::size_t rows) {
  throw Error(ErrorKind::malformed_input,
              "ids: " + std::to_string(ids) + " for " + std::to_string(rows) + " rows");
}

// `ids`: a text or whole number per row, for the field `id_field`; empty if the rows contain their
// own ids.
Lines lines_of(const MemoryRows& rows, const std::optional<nb::list>& ids,
               const std::string& id_field) {
  std::string bytes(rows.file->size(), '\0');
  rows.file->read(0, bytes.data(), bytes.size());
  Lines lines;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    lines.owned.push_back(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  if (ids && ids->size() != lines.owned.size()) refuse_ids(ids->size(), lines.owned.size());
  for (std::size_t i = 0; ids && i < ids->size(); ++i) {
    std::string id;
    append_json_line((*ids)[i], {}, i, id);
    id.pop_back();  // the line end
    lines.owned[i].insert(1, "\"" + id_field + "\": " + id + ", ");
  }
  lines.rows.assign(lines.owned.begin(), lines.owned.end());
  return lines;
}

// `ids`: see lines_of().
ArrayRows array_of(const MemoryRows& rows, const std::optional<nb::list>& ids) {
  ArrayRows array{rows.file, rows.extension, *rows.array_rows};
  if (!ids) return array;
  if (ids->size() != array.rows) refuse_ids(ids->size(), array.rows);
  NamesOfRows names;
  for (const nb::handle id : *ids) {
    std::string name;
    if (!nb::try_cast(nb::str(id), name)) {
      append_json_line(id, {}, names.names.size(), name);  // says why
    }
    names.are_integers.push_back(PyLong_Check(id.ptr()));
    names.names.push_back(std::move(name));
  }
  array.file = named_rows_of(std::move(array.file), std::move(names));
  return array;
}

// Calls use() with the rows in their form. `ids`, `id_field`: see lines_of().
template <class Use>
void with_rows(const MemoryRows& rows, const std::optional<nb::list>& ids,
               const std::string& id_field, const Use& use) {
  if (rows.array_rows) {
    const ArrayRows array = array_of(rows, ids);
    run([&](const RunHooks& hooks) { use(array, hooks); });
  } else {
    const Lines lines = lines_of(rows, ids, id_field);
    run([&](const RunHooks& hooks) { use(JsonRows(lines.rows), hooks); });
  }
}

std::unique_ptr<StoredIndex> create(const std::string& folder, const nb::dict& keywords,
                                    const nb::object& rows, const std::optional<nb::list>& ids) {
  const Options options = options_from_python(verb_called("index"), keywords);
  std::unique_ptr<StoredIndex> index;
  const auto make = [&](const auto& given, const RunHooks& hooks) {
    index = std::make_unique<StoredIndex>(StoredIndex::create(folder, options, given, hooks));
  };
  if (rows.is_none()) {
    run([&](const RunHooks& hooks) { make(JsonRows(), hooks); });
  } else {
    with_rows(nb::cast<const MemoryRows&>(rows), ids, options.id.empty() ? "id" : options.id, make);
  }
  return index;
}

std::unique_ptr<StoredIndex> open(const std::vector<std::string>& folders, bool read_only,
                                  const nb::dict& keywords) {
  const Options options = options_from_python(verb_called("pairs"), keywords);
  std::unique_ptr<StoredIndex> index;
  run([&](const RunHooks& hooks) {
    index = std::make_unique<StoredIndex>(StoredIndex::open(folders, read_only, options, hooks));
  });
  return index;
}

StoredQuery query_of(const nb::dict& keywords) {
  const Options given = options_from_python(verb_called("query"), keywords);
  StoredQuery query{given.top, given.exclude_self, {}};
  for (const auto& [name, value] : given.given) {
    if (name != "top" && name != "exclude-self") query.options.emplace_back(name, value);
  }
  return query;
}

// Columns left (row), right (id) and the value.
nb::dict columns_of(const std::vector<std::vector<StoredHit>>& found,
                    const std::string& value_name) {
  std::vector<std::uint64_t> left;
  std::vector<double> values;
  nb::list right;
  for (std::size_t row = 0; row < found.size(); ++row) {
    for (const StoredHit& hit : found[row]) {
      left.push_back(row);
      right.append(id_of(hit));
      values.push_back(hit.value);
    }
  }
  nb::dict out;
  out["left"] = to_numpy(std::move(left));
  out["right"] = right;
  out["value"] = to_numpy(std::move(values));
  out["value_name"] = value_name;
  return out;
}

nb::dict query(const StoredIndex& index, const MemoryRows& rows, const std::optional<nb::list>& ids,
               const nb::dict& keywords) {
  const StoredQuery asked = query_of(keywords);
  std::vector<std::vector<StoredHit>> found;
  with_rows(rows, ids, index.facts().id_field, [&](const auto& given, const RunHooks& hooks) {
    found = index.query(given, asked, hooks);
  });
  return columns_of(found, index.value_name(asked));
}

std::optional<double> list_recall(const StoredIndex& index, std::uint64_t top) {
  std::optional<double> recall;
  run([&](const RunHooks& hooks) { recall = index.list_recall(top, hooks); });
  return recall;
}

nb::dict query_ids(const StoredIndex& index, const std::vector<std::string>& ids,
                   const nb::dict& keywords) {
  const StoredQuery asked = query_of(keywords);
  std::vector<std::optional<std::vector<StoredHit>>> found;
  run([&](const RunHooks& hooks) { found = index.query_ids(ids, asked, hooks); });
  std::vector<std::vector<StoredHit>> all;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      throw Error(ErrorKind::malformed_input, "ids: the index has no item '" + ids[i] + "'");
    }
    all.push_back(std::move(*found[i]));
  }
  return columns_of(all, index.value_name(asked));
}

nb::dict add(StoredIndex& index, const MemoryRows& rows, const std::optional<nb::list>& ids,
             bool replace, bool skip_existing) {
  StoredAdded counts;
  with_rows(rows, ids, index.facts().id_field, [&](const auto& given, const RunHooks& hooks) {
    counts = index.add(given, {replace, skip_existing}, hooks);
  });
  nb::dict out;
  out["added"] = counts.added;
  out["skipped"] = counts.skipped;
  out["replaced"] = counts.replaced;
  return out;
}

nb::object add_new(StoredIndex& index, const MemoryRows& rows, const std::optional<nb::list>& ids) {
  std::vector<StoredNew> found;
  with_rows(rows, ids, index.facts().id_field,
            [&](const auto& given, const RunHooks& hooks) { found = index.add_new(given, hooks); });
  std::vector<bool> added;
  added.reserve(found.size());
  for (const StoredNew& row : found) added.push_back(row.is_added);
  return to_numpy(added);
}

std::uint64_t remove(StoredIndex& index, const std::vector<std::string>& ids) {
  std::uint64_t removed = 0;
  run([&](const RunHooks& hooks) { removed = index.remove(ids, hooks); });
  return removed;
}

nb::dict info(const StoredIndex& index) {
  const StoredFacts facts = index.facts();
  nb::dict out;
  out["items"] = facts.items;
  out["bytes"] = facts.bytes;
  out["runs"] = facts.runs;
  out["log_items"] = facts.log_items;
  out["next_number"] = facts.next_number;
  out["keep_items"] = facts.keeps_items;
  out["kind"] = facts.kind;
  out["column"] = facts.column;
  out["id"] = facts.id_field.empty() ? "row" : facts.id_field;
  out["bands"] = std::to_string(facts.bands) + "x" + std::to_string(facts.band_rows);
  nb::dict options;
  for (const auto& [name, value] : facts.options) options[name.c_str()] = text_of(value);
  out["options"] = options;
  return out;
}

void compact(StoredIndex& index) {
  const nb::gil_scoped_release unlocked;
  index.compact();
}

void close(StoredIndex& index) {
  const nb::gil_scoped_release unlocked;
  index.close();
}

}  // namespace

void define_stored_index(nb::module_& module) {
  nb::class_<StoredIndex>(module, "StoredIndex")
      .def_static("create", create, "folder"_a, "options"_a, "rows"_a.none(), "ids"_a.none())
      .def_static("open", open, "folders"_a, "read_only"_a, "options"_a)
      .def_prop_ro("read_only", &StoredIndex::is_read_only)
      .def("query", query, "rows"_a, "ids"_a.none(), "options"_a)
      .def("query_ids", query_ids, "ids"_a, "options"_a)
      .def("add", add, "rows"_a, "ids"_a.none(), "replace"_a, "skip_existing"_a)
      .def("add_new", add_new, "rows"_a, "ids"_a.none())
      .def("remove", remove, "ids"_a)
      .def("info", info)
      .def("list_recall", list_recall, "top"_a)
      .def("compact", compact)
      .def("close", close);
}

}  // namespace sosie::python
