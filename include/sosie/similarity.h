#pragma once

#include <vector>

#include "sosie/join.h"

namespace sosie {

// Returns, for all i, the exact similarity or distance (angle: in degrees) of row i of the inputs
// and row i of --against by options.measure, regardless of the threshold. Accepts all kinds of
// items (options.kind). Containment is the containment of the input row in the other row. Two rows
// without a shingle count as equal (1); if only one of them has none, the similarity is 0. Throws
// Error as pairs() does, and Error{invalid_option} for different numbers of rows. O(bytes of both)
// time. Source: MMDS 3.1.1, 3.5.
[[nodiscard]] std::vector<double> similarities(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
