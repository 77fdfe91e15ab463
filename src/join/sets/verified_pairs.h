#pragma once

#include <functional>

#include "candidates/prefix_join.h"
#include "data/clusters.h"
#include "join/sets/set_run.h"

namespace sosie {

// Passes every verified pair in scope, among the items in the run's matcher, to `take`, once.
// `progress` receives the number of finished items.
void verified_pairs(SetRun& run, PairScope scope, const TakePairs& take,
                    const std::function<void(std::size_t done)>& progress);

}  // namespace sosie
