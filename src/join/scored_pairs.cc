// Selects the requested pairs among those found.
#include "join/scored_pairs.h"

#include <utility>

namespace sosie {

template class SortedRecords<ScoredPair>;
template class PairChooser<ScoredPair, IsNearer>;

EachPairs shifted(RowId left, RowId right, const EachPairs& each) {
  return [&each, left, right](std::span<const ScoredPair> pairs) {
    if (left == 0 && right == 0) {
      each(pairs);
      return;
    }
    std::vector<ScoredPair> block(pairs.begin(), pairs.end());
    for (ScoredPair& pair : block) {
      pair.left += left;
      pair.right += right;
    }
    each(block);
  };
}

EachPairs above_zero(const BoundFacts& facts, const EachPairs& each) {
  if (!facts.is_similarity) return each;
  return [&each](std::span<const ScoredPair> pairs) {
    std::vector<ScoredPair> block(pairs.begin(), pairs.end());
    std::erase_if(block, [](const ScoredPair& pair) { return !(pair.value > 0); });
    if (!block.empty()) each(block);
  };
}

PairSink::PairSink(const Options& options, const BoundFacts& facts, PairOrder order,
                   const PairMemory& memory, EachPairs each)
    : chooser_(
          pair_selection(options), order, IsNearer{facts.is_similarity}, memory,
          [facts, wanted = pair_selection(options)](std::uint64_t pairs) {
            check_pair_limit(wanted, facts, pairs);
          },
          std::move(each)) {}

}  // namespace sosie
