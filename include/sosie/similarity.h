#pragma once

#include <vector>

#include "sosie/join.h"

namespace sosie {

// Returns, for every i, the exact similarity or distance (angle: in degrees) between row i of the
// inputs and row i of --against by options.measure; the threshold plays no role. Supports all kinds
// of items (options.kind). Containment is the share of the input row that the other row contains.
// Two rows without a shingle are equal (1); if only one of them has no shingle, the similarity is
// 0. Throws Error as pairs() does, and Error{invalid_option} if the numbers of rows differ. O(bytes
// of both) time. Source: MMDS 3.1.1, 3.5.
[[nodiscard]] std::vector<double> similarities(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
