#pragma once

#include "data/clusters.h"
#include "io/sorted_records.h"

namespace sosie {

extern template class SortedRecords<VerifiedPair>;

// The pairs that `sorted` holds, which must outlive the result.
[[nodiscard]] PairSource source_of(const SortedRecords<VerifiedPair>& sorted);

// Star clustering when all pairs (left < right, repetitions allowed: the first one counts) are
// known: in rank order each item is removed by the best-ranked survivor that it is a pair with,
// otherwise it survives; the first `fixed` always do. The same as star_clusters() over candidates
// of which exactly these pairs are similar. O(pairs).
[[nodiscard]] Clusters star_of_pairs(Place items, const PairSource& pairs, Place fixed = 0);

}  // namespace sosie
