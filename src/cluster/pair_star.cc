#include "cluster/pair_star.h"

#include <algorithm>
#include <numeric>

namespace sosie {

Clusters star_of_pairs(Place items, std::vector<VerifiedPair> pairs, Place fixed) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const VerifiedPair& a, const VerifiedPair& b) {
    return a.left != b.left ? a.left < b.left : a.right < b.right;
  });
  return star_of_pairs(items, all_of(pairs), fixed);
}

Clusters star_of_pairs(Place items, const PairSource& pairs, Place fixed) {
  Clusters clusters;
  clusters.survivor.resize(items);
  std::iota(clusters.survivor.begin(), clusters.survivor.end(), Place{0});
  clusters.overlap.resize(items);
  // Whatever can remove an item comes before the pairs that it is the left one of.
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      const bool open = pair.right >= fixed && clusters.survivor[pair.right] == pair.right;
      if (!open || clusters.survivor[pair.left] != pair.left) continue;
      clusters.survivor[pair.right] = pair.left;
      clusters.overlap[pair.right] = pair.overlap;
    }
  });
  return clusters;
}

}  // namespace sosie
