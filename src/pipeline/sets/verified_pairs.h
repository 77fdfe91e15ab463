#pragma once

#include <functional>
#include <vector>

#include "data/clusters.h"
#include "pipeline/sets/run.h"

namespace sosie {

// Every verified pair in scope of the items that the run's matcher holds, sorted by (left, right).
// `progress` is told of items done.
[[nodiscard]] std::vector<VerifiedPair> verified_pairs(
    Run& run, const std::function<void(std::size_t done)>& progress, PairScope scope);

}  // namespace sosie
