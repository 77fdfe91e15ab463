#pragma once

#include <optional>

#include "verify/vector_measures.h"

namespace sosie {

// The row for the Canberra distance of vectors in the table of measures: the sum of |x - y| / (|x|
// + |y|) over all components, where 0/0 is 0, computed in doubles in the order of the components.
// Lance and Williams 1967.
[[nodiscard]] std::optional<VectorMeasure> canberra_measure(MeasureParameters parameters);

}  // namespace sosie
