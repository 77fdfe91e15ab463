// Connected components of the pairs of a join.
#include "decide/ranked_components.h"

#include <numeric>

#include "cluster/components.h"

namespace sosie {

RankedClusters ranked_components(
    Place places, Place fixed, const ThreadPool& pool, const RankedStarSteps& steps,
    const std::function<double(Place survivor, Place removed)>& value) {
  std::vector<Place> others(fixed);
  std::iota(others.begin(), others.end(), Place{0});
  std::vector<Place> open(places - fixed);
  std::iota(open.begin(), open.end(), fixed);
  Components components(places);
  RankedClusters found;
  found.measured += steps.between(open, others, [&](std::span<const ScoredPair> pairs) {
    pool.check_cancelled();
    for (const ScoredPair& pair : pairs) components.link(open[pair.left], others[pair.right]);
  });
  found.measured += steps.within(open, [&](std::span<const ScoredPair> pairs) {
    pool.check_cancelled();
    for (const ScoredPair& pair : pairs) components.link(open[pair.left], open[pair.right]);
  });
  found.survivor.resize(places);
  std::iota(found.survivor.begin(), found.survivor.end(), Place{0});
  found.value.resize(places);
  for (const Place place : open) {
    const Place survivor = components.root_of(place);
    if (survivor == place) continue;
    found.survivor[place] = survivor;
    found.value[place] = value(survivor, place);
  }
  if (steps.progress) steps.progress(places);
  return found;
}

}  // namespace sosie
