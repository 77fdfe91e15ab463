// Star clustering of pairs that are known and sorted.
#include "cluster/star_of_pairs.h"

#include <numeric>
#include <vector>

namespace sosie {

template class SortedRecords<VerifiedPair>;

PairSource source_of(const SortedRecords<VerifiedPair>& sorted) {
  return [&sorted](const std::function<void(std::span<const VerifiedPair>)>& each) {
    constexpr std::size_t kPairsAtOnce = 4096;
    std::vector<VerifiedPair> some;
    sorted.for_each([&](const VerifiedPair& pair) {
      some.push_back(pair);
      if (some.size() < kPairsAtOnce) return true;
      each(some);
      some.clear();
      return true;
    });
    each(some);
  };
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
