#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "join/scored_pairs.h"

namespace sosie {

// Number of places that are compared with the survivors at a time if the cost of a comparison does
// not depend on this number.
inline constexpr Place kStarBatch = 8192;

// The functions by which star clustering requests pairs from a join. Both return the number of
// measured pairs.
struct RankedStarSteps {
  // Finds all pairs of a place in `lefts` and a place in `rights`.
  std::function<std::uint64_t(std::span<const Place> lefts, std::span<const Place> rights,
                              const EachPairs& each)>
      between;
  // Finds all pairs of two places in `places`, left < right.
  std::function<std::uint64_t(std::span<const Place> places, const EachPairs& each)> within;
  std::function<void(std::size_t done)> progress;
  Place most_at_once = kStarBatch;
  // Ratio of each batch's size to the previous one's. If the cost of a comparison depends on the
  // number of its rows, including survivors, a batch of n places costs n (1 + growth / (growth -
  // 1)).
  Place growth = 2;
  // True if joining all places at once costs less than joining them in batches. In this case, a
  // single join is requested if no place is fixed and a sample shows few pairs.
  bool wholes_cost_less = false;
};

// Decisions of clustering, by place.
struct RankedClusters {
  std::vector<Place> survivor;  // survivor of each place; a survivor's own place
  std::vector<double> value;    // value of the measure for a removed place and its survivor
  std::uint64_t measured = 0;
};

// Star clustering in rank order if every pair can be requested. Each place is removed by the
// best-ranked survivor with which it forms a pair, and survives if there is none; the first `fixed`
// places always survive. Places are compared only with survivors, in batches whose size does not
// affect the result. Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_star(Place places, Place fixed, const ThreadPool& pool,
                                         const RankedStarSteps& steps);

// Star clustering with known pairs of places.
[[nodiscard]] RankedClusters star_of_measured(Place places, const SortedPairs<ScoredPair>& pairs);

// Connected components of all pairs, except pairs among the first `fixed` places. Each place is
// removed by the best-ranked place in its component, but the first `fixed` places always survive.
// `value` gives the measure's value for any two places, even if they are not a pair. Memory: 4
// bytes per place, regardless of the number of pairs. Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_components(
    Place places, Place fixed, const ThreadPool& pool, const RankedStarSteps& steps,
    const std::function<double(Place survivor, Place removed)>& value);

}  // namespace sosie
