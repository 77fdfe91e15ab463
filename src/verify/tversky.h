#pragma once

#include <optional>

#include "data/measure.h"

namespace sosie {

// The row of the table of measures: Tversky's index of sets,
//     S = |L and R| / (|L and R| + A |L - R| + B |R - L|),
// for A, B >= 0, not both 0. Decided in integers: A = a / w and B = b / w with a common w, all
// below 2^30 (nullopt for other parameters). An ordered measure unless A = B; A weights elements
// that only the left set has. The value is 1 for two empty sets. Tversky 1977; 1,1 is Jaccard's,
// 1/2,1/2 is Dice's, 1,0 is containment.
[[nodiscard]] std::optional<Measure> tversky_measure(MeasureParameters parameters);

}  // namespace sosie
