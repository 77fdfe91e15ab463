#pragma once

#include <functional>

#include "core/rational.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "io/sorted_records.h"

namespace sosie {

struct ContainedStarTask {
  Place items = 0;
  const PairSource& pairs;  // all pairs that reach the threshold in at least one direction
  const Measure& measure;
  Rational threshold;
  Place fixed = 0;
  bool by_rank = false;  // else by size
  Scratch& scratch;
  std::uint64_t sort_bytes = 0;
};

// Star clustering under an ordered measure, where only the contained item of a pair can be removed.
// The first `fixed` items are processed first, then all others, one at a time: an item is removed
// by the earliest survivor that contains it; otherwise, it survives. No survivor contains another.
// Items are in descending order of size (ties: by rank), or in ascending order if the measure
// removes the larger item. With `by_rank`, an item waits for all items that contain it without
// being contained in it, so that the rank decides wherever the measure would allow either of two
// items to be removed. In the overlaps of the result, the removed item is on the left. O(items +
// pairs log pairs).
[[nodiscard]] Clusters contained_star(const ContainedStarTask& task);

// Calls each(item, survivor, overlap) for every item that contained_star() would remove, in
// arbitrary order. Needs 16 bytes per item, or 20 with `by_rank`.
void for_each_contained(const ContainedStarTask& task,
                        const std::function<void(Place, Place, const Overlap&)>& each);

}  // namespace sosie
