#pragma once

#include <functional>

#include "core/rational.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "io/sorted_records.h"

namespace sosie {

struct ContainedStarTask {
  Place items = 0;
  const PairSource& pairs;  // all that reach the threshold in at least one direction
  const Measure& measure;
  Rational threshold;
  Place fixed = 0;
  bool by_rank = false;  // else by size
  Scratch& scratch;
  std::uint64_t sort_bytes = 0;
};

// Star clustering by an ordered measure, under which only the contained one of two items can be
// removed: the first `fixed` items, then all others are processed in turn; each is removed by the
// earliest survivor that contains it, otherwise it survives. No survivor contains another. Turns
// are by descending size (ties: by rank; by ascending size if the measure removes the larger one)
// or `by_rank`: then an item waits for all items that contain it and are not contained in it, so
// that the rank decides between two items whenever the measure would allow either to be removed.
// Overlaps of the result have the removed item on the left. O(items + pairs log pairs).
[[nodiscard]] Clusters contained_star(const ContainedStarTask& task);

// Calls each(item, survivor, overlap) for the removed items of that result, in any order. Takes 16
// bytes per item, 20 by rank.
void for_each_contained(const ContainedStarTask& task,
                        const std::function<void(Place, Place, const Overlap&)>& each);

}  // namespace sosie
