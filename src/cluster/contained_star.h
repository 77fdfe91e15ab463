#pragma once

#include "core/rational.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "io/sorted_records.h"

namespace sosie {

// Star clustering by an ordered measure, under which only the contained one of two items can be
// removed: the first `fixed` items, then all others by descending size (ties: by rank; by ascending
// size where the measure removes the larger one), are taken in turn; each is removed by the
// earliest survivor that contains it, otherwise it survives. Of two survivors neither contains the
// other. `pairs`: all that reach the threshold one way round or the other; `removals`, which must
// be empty, sorts the pairs that can remove an item. Overlaps of the result have the removed item
// on the left. O(items + pairs log pairs).
[[nodiscard]] Clusters contained_star(Place items, const PairSource& pairs, const Measure& measure,
                                      const Rational& threshold, Place fixed,
                                      SortedRecords<VerifiedPair>& removals);

}  // namespace sosie
