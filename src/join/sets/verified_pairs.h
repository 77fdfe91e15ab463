#pragma once

#include <functional>

#include "candidates/prefix_join.h"
#include "data/clusters.h"
#include "join/sets/set_run.h"

namespace sosie {

// Hands every verified pair in scope of the items that the run's matcher holds to `take`, once.
// `progress` is told of items done.
void verified_pairs(SetRun& run, PairScope scope, const TakePairs& take,
                    const std::function<void(std::size_t done)>& progress);

}  // namespace sosie
