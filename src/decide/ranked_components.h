#pragma once

#include "decide/ranked_star.h"

namespace sosie {

// Connected components of all pairs, those among the first `fixed` places left out: each place is
// removed by the best-ranked one of its component, except the first `fixed`, which always survive.
// `value`: what the measure says of any two places, of which some are no pair. Memory: 4 bytes a
// place, however many pairs there are. Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_components(
    Place places, Place fixed, const ThreadPool& pool, const RankedStarSteps& steps,
    const std::function<double(Place survivor, Place removed)>& value);

}  // namespace sosie
