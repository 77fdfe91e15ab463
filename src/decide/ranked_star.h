#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "join/scored_pairs.h"

namespace sosie {

// Number of places compared with the survivors at a time, if the cost of a comparison does not
// depend on it.
inline constexpr Place kStarBatch = 8192;

// Functions by which star clustering requests pairs from a join. Both return the number of pairs
// measured.
struct RankedStarSteps {
  // All pairs of one of `lefts` with one of `rights`.
  std::function<std::uint64_t(std::span<const Place> lefts, std::span<const Place> rights,
                              const EachPairs& each)>
      between;
  // All pairs of two of `places`, left < right.
  std::function<std::uint64_t(std::span<const Place> places, const EachPairs& each)> within;
  std::function<void(std::size_t done)> progress;
  Place most_at_once = kStarBatch;
  // Size of each batch relative to the previous one. If the cost of a comparison depends on its
  // rows, including survivors, a batch of n places costs n (1 + growth / (growth - 1)).
  Place growth = 2;
  // True if one join of all places costs less than joins of batches. If a sample then shows few
  // pairs, and no place is fixed, a single join is requested.
  bool wholes_cost_less = false;
};

// Decisions of clustering, by place.
struct RankedClusters {
  std::vector<Place> survivor;  // survivor of each place; a survivor's own place
  std::vector<double> value;    // value of the measure for a removed place and its survivor
  std::uint64_t measured = 0;
};

// Star clustering in rank order if every pair can be requested: each place is removed by the
// best-ranked survivor with which it forms a pair, otherwise it survives; the first `fixed` always
// do. Places are compared with survivors only, in batches; the size of these affects no result.
// Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_star(Place places, Place fixed, const ThreadPool& pool,
                                         const RankedStarSteps& steps);

// Star clustering of known pairs of places.
[[nodiscard]] RankedClusters star_of_measured(Place places, const SortedPairs<ScoredPair>& pairs);

// Connected components of all pairs, except those among the first `fixed` places: each place is
// removed by the best-ranked one of its component, except the first `fixed`, which always survive.
// `value`: value of the measure for any two places, which need not be a pair. Memory: 4 bytes per
// place, however many pairs there are. Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_components(
    Place places, Place fixed, const ThreadPool& pool, const RankedStarSteps& steps,
    const std::function<double(Place survivor, Place removed)>& value);

}  // namespace sosie
