// String distances and similarities for Python.
#include "string_functions.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "numpy_arrays.h"
#include "sosie/strings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sosie::python {
namespace {

using Distance = std::uint32_t (*)(std::string_view, std::string_view, std::uint32_t);

// A distance above the cut-off is reported as one more than the cut-off.
std::uint32_t cut(std::uint32_t distance, std::optional<std::uint32_t> most) {
  return most && distance > *most ? *most + 1 : distance;
}

template <Distance distance>
std::uint32_t of_pair(std::string_view left, std::string_view right,
                      std::optional<std::uint32_t> most) {
  return cut(distance(left, right, most.value_or(kAnyDistance)), most);
}

nb::object of_many(int measure, std::string_view query, const std::vector<std::string_view>& others,
                   std::optional<std::uint32_t> most) {
  std::vector<std::uint32_t> distances(others.size());
  {
    const nb::gil_scoped_release unlocked;  // `others` holds the strings
    EditQuery(static_cast<EditMeasure>(measure), query)
        .distances(others, distances, most.value_or(kAnyDistance));
    for (std::uint32_t& distance : distances) distance = cut(distance, most);
  }
  return to_numpy(std::move(distances));
}

}  // namespace

void define_string_functions(nb::module_& module) {
  module.def("levenshtein", of_pair<levenshtein>, "left"_a, "right"_a, "most"_a.none());
  module.def("indel", of_pair<indel>, "left"_a, "right"_a, "most"_a.none());
  module.def("osa", of_pair<osa>, "left"_a, "right"_a, "most"_a.none());
  module.def("damerau", of_pair<damerau>, "left"_a, "right"_a, "most"_a.none());
  module.def("jaro", jaro, "left"_a, "right"_a);
  module.def("jaro_winkler", jaro_winkler, "left"_a, "right"_a, "prefix_weight"_a);
  module.def("distances", of_many, "measure"_a, "query"_a, "others"_a, "most"_a.none());
}

}  // namespace sosie::python
