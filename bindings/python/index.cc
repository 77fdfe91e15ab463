// Python's class sosie.Index on top of the library's index.
#include "index.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "arguments.h"
#include "memory_rows.h"
#include "numpy_arrays.h"
#include "run.h"
#include "sosie/columns.h"
#include "sosie/index.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sosie::python {
namespace {

using Array = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The object must outlive the array.
ItemArray array_of(const nb::tuple& array_and_kind) {
  const auto array = nb::cast<Array>(array_and_kind[0]);
  ItemArray items{ItemArray::Type::bits, array.data(), array.shape(0), array.shape(1)};
  if (nb::cast<std::string>(array_and_kind[1]) == "bits") return items;
  using Type = ItemArray::Type;
  if (array.dtype() == nb::dtype<std::int8_t>()) items.type = Type::int8;
  if (array.dtype() == nb::dtype<std::uint8_t>()) items.type = Type::uint8;
  if (array.dtype() == nb::dtype<float>()) items.type = Type::float32;
  if (array.dtype() == nb::dtype<double>()) items.type = Type::float64;
  return items;
}

IndexRows rows_of(const nb::object& data) {
  if (nb::isinstance<Table>(data)) return {nb::cast<std::shared_ptr<Table>>(data), {}};
  if (nb::isinstance<nb::tuple>(data)) return {nullptr, {}, array_of(nb::cast<nb::tuple>(data))};
  if (nb::isinstance<MemoryRows>(data)) {
    const auto& rows = nb::cast<const MemoryRows&>(data);
    return {nullptr, {rows.path(0)}, std::nullopt, {{rows.path(0), rows.file}}};
  }
  return {nullptr, nb::cast<std::vector<std::string>>(data)};
}

void run(const std::function<void(const RunHooks&)>& work) {
  RunHooks hooks;
  run_interruptibly(nb::none(), hooks, [&](const RunHooks& all) {
    work(all);
    return RunReport{};
  });
}

void make(Index* self, const nb::dict& keywords) {
  new (self) Index(options_from_python(verb_called("pairs"), keywords));
}

std::pair<std::uint64_t, std::uint64_t> add(Index& index, const nb::object& data) {
  const IndexRows rows = rows_of(data);
  std::pair<std::uint64_t, std::uint64_t> numbers;
  run([&](const RunHooks& hooks) { numbers = index.add(rows, hooks); });
  return numbers;
}

nb::object add_new(Index& index, const nb::object& data) {
  const IndexRows rows = rows_of(data);
  std::vector<bool> added;
  run([&](const RunHooks& hooks) { added = index.add_new(rows, hooks); });
  return to_numpy(added);
}

// A pass of all rows over all items takes 0.01 s, or 0.2 s if every pair is measured in doubles.
bool is_brief(const Index& index, const IndexRows& rows) {
  constexpr std::uint64_t kMostComponents = std::uint64_t{1} << 28;
  if (!rows.array) return false;
  const std::uint64_t components = rows.array->rows * rows.array->width;
  return components <= kMostComponents / std::max<std::uint64_t>(1, index.size());
}

nb::dict query(const Index& index, const nb::object& data, std::uint64_t top) {
  const IndexRows rows = rows_of(data);
  RowPairs found;
  const auto find = [&](const RunHooks& hooks) { found = index.query(rows, top, hooks); };
  if (is_brief(index, rows)) {
    run_briefly(find);
  } else {
    run(find);
  }
  nb::dict out;
  out["left"] = to_numpy(std::move(found.left));
  out["right"] = to_numpy(std::move(found.right));
  out["value"] = to_numpy(std::move(found.similarity));
  out["value_name"] = index.value_name();
  return out;
}

using Numbers = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::uint64_t remove(Index& index, const Numbers& numbers) {
  const std::span<const std::uint64_t> all(numbers.data(), numbers.shape(0));
  const nb::gil_scoped_release unlocked;
  return index.remove(all);
}

nb::bytes save(const Index& index) {
  const std::string bytes = index.save();
  return nb::bytes(bytes.data(), bytes.size());
}

std::unique_ptr<Index> load(const nb::bytes& bytes) {
  return std::make_unique<Index>(Index::load({bytes.c_str(), bytes.size()}));
}

}  // namespace

void define_index(nb::module_& module) {
  nb::class_<Index>(module, "Index")
      .def("__init__", make, "options"_a)
      .def("__len__", &Index::size)
      .def_prop_ro("next_number", &Index::next_number)
      .def("add", add, "data"_a)
      .def("add_new", add_new, "data"_a)
      .def("query", query, "data"_a, "top"_a)
      .def("list_recall", &Index::list_recall, "top"_a)
      .def("save", save)
      .def_static("load", load, "saved"_a)
      .def("remove", remove, "numbers"_a);
}

}  // namespace sosie::python
