#pragma once

#include <vector>

#include "sosie/join.h"

namespace sosie {

// Returns the similarity of row i of the inputs and row i of --against by options.measure, for all
// i, or their distance, if the measure is one (angle: in degrees): exactly, whatever the threshold.
// Takes every kind of items (options.kind); containment means the input's row in the other one. Two
// rows without a shingle are equal sets (1), one is similar to nothing else (0). Throws Error as
// pairs() does, and Error{invalid_option} when one has more rows than the other. O(bytes of both)
// time. Source: MMDS 3.1.1, 3.5.
[[nodiscard]] std::vector<double> similarities(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
