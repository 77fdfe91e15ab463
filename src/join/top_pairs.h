#pragma once

#include <memory>

#include "join/run.h"

namespace sosie {

// All similar rows at the first of a row of falling thresholds that leaves at least `count` of
// them: the `count` most similar ones are among these. The last threshold is below the similarity
// of any two items that share anything, so that only pairs of similarity 0 are never found. Sets
// the run's threshold, which must be one that the run may lower.
[[nodiscard]] std::unique_ptr<PairRows> pairs_of_falling_thresholds(Run& run, std::uint64_t count);

}  // namespace sosie
