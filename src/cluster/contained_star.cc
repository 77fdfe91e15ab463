// Star clustering by measures that tell the removed one of two items from the kept one.
#include "cluster/contained_star.h"

#include <algorithm>
#include <numeric>

#include "cluster/pair_star.h"

namespace sosie {
namespace {

// True if a set is more similar to a larger one that holds it than the other way round, as by
// containment: the smaller one is what can be removed. By tversky:A,B with A < B it is the larger.
bool removes_smaller(const Measure& measure) noexcept {
  const Overlap of_smaller{.shared = 1, .united = 2, .left = 1};
  return measure.is_above(of_smaller, of_smaller.flipped());
}

// The items in the order they are taken. Items of no pair keep size 0: they survive anyway.
std::vector<Place> order_by_size(Place items, const PairSource& pairs, const Measure& measure,
                                 Place fixed) {
  std::vector<std::uint32_t> sizes(items, 0);
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      sizes[pair.left] = pair.overlap.left;
      sizes[pair.right] = pair.overlap.right();
    }
  });
  std::vector<Place> order(items);
  std::iota(order.begin(), order.end(), Place{0});
  const bool larger_first = removes_smaller(measure);
  std::stable_sort(order.begin() + fixed, order.end(), [&](Place a, Place b) {
    return larger_first ? sizes[a] > sizes[b] : sizes[a] < sizes[b];
  });
  return order;
}

}  // namespace

Clusters contained_star(Place items, const PairSource& pairs, const Measure& measure,
                        const Rational& threshold, Place fixed,
                        SortedRecords<VerifiedPair>& removals) {
  const std::vector<Place> order = order_by_size(items, pairs, measure, fixed);
  std::vector<Place> turn_of(items);
  for (Place turn = 0; turn < items; ++turn) turn_of[order[turn]] = turn;
  std::vector<VerifiedPair> block;
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      const bool left_first = turn_of[pair.left] < turn_of[pair.right];
      const Overlap of_later = left_first ? pair.overlap.flipped() : pair.overlap;
      if (!measure.left_reaches(of_later, threshold)) continue;
      const auto [earlier, later] = std::minmax(turn_of[pair.left], turn_of[pair.right]);
      block.push_back({earlier, later, of_later});
    }
    removals.add(block);
    block.clear();
  });
  removals.finish();
  const Clusters by_turn = star_of_pairs(items, source_of(removals), fixed);
  Clusters clusters;
  clusters.survivor.resize(items);
  clusters.overlap.resize(items);
  for (Place turn = 0; turn < items; ++turn) {
    clusters.survivor[order[turn]] = order[by_turn.survivor[turn]];
    clusters.overlap[order[turn]] = by_turn.overlap[turn];
  }
  return clusters;
}

}  // namespace sosie
