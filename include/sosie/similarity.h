#pragma once

#include <vector>

#include "sosie/join.h"

namespace sosie {

// How similar row i of the inputs and row i of --against are by options.measure, for all i, or how
// far apart, if the measure is a distance (angle: in degrees): exactly, whatever the threshold. Of
// all kinds of items (options.kind); containment is that of the input's row in the other one. Two
// rows without a shingle are equal sets (1), one is similar to nothing else (0). Throws Error as
// pairs() does, and Error{invalid_option} when one has more rows than the other. O(bytes of both)
// time. Source: MMDS 3.1.1, 3.5.
[[nodiscard]] std::vector<double> similarities(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
