// Kernels on batches of rows for Python: sosie/batches.h with numpy arrays.
#include "batches.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "arguments.h"
#include "numpy_arrays.h"
#include "run.h"
#include "sosie/batches.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sosie::python {
namespace {

template <typename T>
using Numbers = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const Numbers<T>& numbers) {
  return {numbers.data(), numbers.shape(0)};
}

// Calls work(options, hooks) on the rows, without the interpreter's lock.
void run(const nb::object& data, const nb::dict& keywords,
         const std::function<void(const Options&, const RunHooks&)>& work) {
  Options options = options_from_python(verb_called("pairs"), keywords);
  take_rows(data, options, options.inputs, options.table);
  RunHooks hooks;
  run_interruptibly(nb::none(), hooks, [&](const RunHooks& all) {
    work(options, all);
    return RunReport{};
  });
}

nb::dict sketch(const nb::object& data, const std::string& plan, const nb::dict& keywords) {
  SketchedBatch batch;
  run(data, keywords, [&](const Options& options, const RunHooks& hooks) {
    batch = sketch_batch(options, plan, hooks);
  });
  nb::dict out;
  out["bands"] = batch.bands;
  out["components"] = batch.components;
  out["band_keys"] = to_numpy(std::move(batch.band_keys));
  out["filters"] = to_numpy(std::move(batch.filters));
  out["text_hashes"] = to_numpy(std::move(batch.text_hashes));
  out["is_empty"] = to_numpy(batch.is_empty);
  return out;
}

nb::dict verify(const nb::object& data, const std::string& plan, const Numbers<std::uint64_t>& left,
                const Numbers<std::uint64_t>& right, const nb::dict& keywords) {
  VerifiedBatch batch;
  run(data, keywords, [&](const Options& options, const RunHooks& hooks) {
    batch = verify_batch(options, plan, {span_of(left), span_of(right)}, hooks);
  });
  nb::dict out;
  out["similarity"] = to_numpy(std::move(batch.similarity));
  out["reaches"] = to_numpy(batch.reaches);
  out["is_identical"] = to_numpy(batch.is_identical);
  return out;
}

nb::object count(const nb::object& data, int bits, const nb::dict& keywords) {
  std::vector<std::uint32_t> counts;
  run(data, keywords, [&](const Options& options, const RunHooks& hooks) {
    counts = count_elements(options, bits, hooks);
  });
  return to_numpy(std::move(counts));
}

nb::dict prefixes(const nb::object& data, const Numbers<std::uint32_t>& counts,
                  const nb::dict& keywords) {
  PrefixBatch batch;
  run(data, keywords, [&](const Options& options, const RunHooks& hooks) {
    batch = prefixes_of_batch(options, span_of(counts), hooks);
  });
  nb::dict out;
  out["row"] = to_numpy(std::move(batch.row));
  out["element"] = to_numpy(std::move(batch.element));
  out["position"] = to_numpy(std::move(batch.position));
  out["size"] = to_numpy(std::move(batch.size));
  out["met_by_larger"] = to_numpy(std::move(batch.met_by_larger));
  return out;
}

nb::dict common_template(const nb::object& data, const nb::dict& keywords) {
  BatchTemplate found;
  run(data, keywords, [&](const Options& options, const RunHooks& hooks) {
    found = template_of_batch(options, hooks);
  });
  nb::dict out;
  out["common"] = found.common;
  out["passage"] = found.passage;
  return out;
}

}  // namespace

void define_batches(nb::module_& module) {
  module.def("sketch_batch", sketch, "data"_a, "plan"_a, "options"_a);
  module.def("verify_batch", verify, "data"_a, "plan"_a, "left"_a, "right"_a, "options"_a);
  module.def("count_elements", count, "data"_a, "bits"_a, "options"_a);
  module.def("prefixes_of_batch", prefixes, "data"_a, "counts"_a, "options"_a);
  module.def("template_of_batch", common_template, "data"_a, "options"_a);
}

}  // namespace sosie::python
