#pragma once

#include <vector>

#include "data/clusters.h"

namespace sosie {

// Star clustering when all pairs (left < right, in any order, repetitions allowed) are known: in
// rank order each item is removed by the best-ranked survivor that it is a pair with, otherwise it
// survives; the first `fixed` always do. The same as star_clusters() over candidates of which
// exactly these pairs are similar. O(pairs log pairs).
[[nodiscard]] Clusters star_of_pairs(Place items, std::vector<VerifiedPair> pairs, Place fixed = 0);
// The same of pairs in order, however many. O(pairs).
[[nodiscard]] Clusters star_of_pairs(Place items, const PairSource& pairs, Place fixed = 0);

}  // namespace sosie
