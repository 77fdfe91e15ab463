#include "cluster/pair_star.h"

#include <algorithm>
#include <numeric>

namespace sosie {

Clusters star_of_pairs(Place items, std::vector<VerifiedPair> pairs, Place fixed) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const VerifiedPair& a, const VerifiedPair& b) {
    return a.right != b.right ? a.right < b.right : a.left < b.left;
  });
  Clusters clusters;
  clusters.survivor.resize(items);
  std::iota(clusters.survivor.begin(), clusters.survivor.end(), Place{0});
  clusters.overlap.resize(items);
  for (const VerifiedPair& pair : pairs) {
    const bool open = pair.right >= fixed && clusters.survivor[pair.right] == pair.right;
    if (!open || clusters.survivor[pair.left] != pair.left) continue;
    clusters.survivor[pair.right] = pair.left;
    clusters.overlap[pair.right] = pair.overlap;
  }
  return clusters;
}

}  // namespace sosie
