#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "join/scored_pairs.h"

namespace sosie {

// Places that are compared with the survivors at a time, where the cost of a comparison does not
// depend on it.
inline constexpr Place kStarBatch = 8192;

// Functions by which star clustering asks a join for pairs. Both return the number of pairs
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
  // Each batch has so many times as many places as the one before. A comparison that costs by its
  // rows, survivors included, costs a batch of n places n (1 + growth / (growth - 1)).
  Place growth = 2;
  // True if one join of all places costs less than joins of batches. If a sample then shows few
  // pairs, and no place is fixed, one join is asked for.
  bool wholes_cost_less = false;
};

// Decisions of clustering, by place.
struct RankedClusters {
  std::vector<Place> survivor;  // survivor of each place; a survivor's own place
  std::vector<double> value;    // value of the measure for a removed place and its survivor
  std::uint64_t measured = 0;
};

// Star clustering in rank order when every pair can be asked for: each place is removed by the
// best-ranked survivor that it is a pair with, otherwise it survives; the first `fixed` always do.
// Places are compared with survivors only, some at a time; how many at a time decides no result.
// Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_star(Place places, Place fixed, const ThreadPool& pool,
                                         const RankedStarSteps& steps);

// Star clustering of pairs of places that are known.
[[nodiscard]] RankedClusters star_of_measured(Place places, const SortedPairs<ScoredPair>& pairs);

// Connected components of all pairs, those among the first `fixed` places left out: each place is
// removed by the best-ranked one of its component, except the first `fixed`, which always survive.
// `value`: what the measure says of any two places, of which some are no pair. Memory: 4 bytes a
// place, however many pairs there are. Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_components(
    Place places, Place fixed, const ThreadPool& pool, const RankedStarSteps& steps,
    const std::function<double(Place survivor, Place removed)>& value);

}  // namespace sosie
