#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "join/measured_pairs.h"

namespace sosie {

// Places that are compared with the survivors at a time, where the cost of a comparison does not
// depend on it.
inline constexpr Place kStarBatch = 8192;

// How star clustering by a join asks for pairs. Both return how many pairs were measured.
struct RankedStarSteps {
  // All pairs of one of `lefts` with one of `rights`.
  std::function<std::uint64_t(std::span<const Place> lefts, std::span<const Place> rights,
                              const EachPairs& each)>
      between;
  // All pairs of two of `places`, left < right.
  std::function<std::uint64_t(std::span<const Place> places, const EachPairs& each)> within;
  std::function<void(std::size_t done)> progress;
  Place most_at_once = kStarBatch;
};

// What clustering decided, by place.
struct RankedClusters {
  std::vector<Place> survivor;  // of a place that survives: itself
  std::vector<double> value;    // what the measure says of a removed place and its survivor
  std::uint64_t measured = 0;
};

// Star clustering in rank order when every pair can be asked for: each place is removed by the
// best-ranked survivor that it is a pair with, otherwise it survives; the first `fixed` always do.
// Places are compared with survivors only, some at a time; how many at a time decides no result.
// Throws Error{cancelled}.
[[nodiscard]] RankedClusters ranked_star(Place places, Place fixed, const ThreadPool& pool,
                                         const RankedStarSteps& steps);

// The same of pairs of places that are known.
[[nodiscard]] RankedClusters star_of_measured(Place places, const SortedPairs<MeasuredPair>& pairs);

}  // namespace sosie
