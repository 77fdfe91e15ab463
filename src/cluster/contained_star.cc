// Star clustering under measures that decide which of two items is removed.
#include "cluster/contained_star.h"

#include <algorithm>
#include <numeric>

#include "cluster/star.h"

namespace sosie {
namespace {

// True if a set is more similar to a larger set that contains it than the larger set is to it, as
// with containment: the smaller set can be removed. With tversky:A,B and A < B, the larger set can.
bool removes_smaller(const Measure& measure) noexcept {
  const Overlap of_smaller{.shared = 1, .united = 2, .left = 1};
  return measure.is_above(of_smaller, of_smaller.flipped());
}

// The items sorted by size, with those that can contain others first. Items in no pair have size 0;
// they survive in any case.
std::vector<Place> order_by_size(const ContainedStarTask& task) {
  std::vector<Place> sizes(task.items, 0);
  task.pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      sizes[pair.left] = pair.overlap.left;
      sizes[pair.right] = pair.overlap.right();
    }
  });
  std::vector<Place> order(task.items);
  std::iota(order.begin(), order.end(), Place{0});
  const bool larger_first = removes_smaller(task.measure);
  std::stable_sort(order.begin() + task.fixed, order.end(), [&](Place a, Place b) {
    return larger_first ? sizes[a] > sizes[b] : sizes[a] < sizes[b];
  });
  return order;
}

std::vector<Place> turns_of(const std::vector<Place>& order) {
  std::vector<Place> turn_of(order.size());
  for (Place turn = 0; turn < order.size(); ++turn) turn_of[order[turn]] = turn;
  return turn_of;
}

// Sorts the pairs whose later item can be removed by the turns of the earlier and the later item.
// `only_one_way`: pairs whose earlier item cannot be removed, sorted by the turns of the later and
// the earlier item.
void sort_removals(const ContainedStarTask& task, const std::vector<Place>& turn_of,
                   bool only_one_way, SortedRecords<VerifiedPair>& removals) {
  std::vector<VerifiedPair> block;
  task.pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      const bool left_first = turn_of[pair.left] < turn_of[pair.right];
      const Overlap of_later = left_first ? pair.overlap.flipped() : pair.overlap;
      if (!task.measure.left_reaches(of_later, task.threshold)) continue;
      const auto [earlier, later] = std::minmax(turn_of[pair.left], turn_of[pair.right]);
      if (!only_one_way) {
        block.push_back({earlier, later, of_later});
      } else if (!task.measure.left_reaches(of_later.flipped(), task.threshold)) {
        block.push_back({later, earlier, of_later});
      }
    }
    removals.add(block);
    block.clear();
  });
  removals.finish();
}

// Sorts by rank, but puts each item after those that contain it without being contained in it. Such
// items also precede it in the order by size, so their turns are known before its own.
std::vector<Place> order_by_rank(const ContainedStarTask& task) {
  const std::vector<Place> by_size = order_by_size(task);
  SortedRecords<VerifiedPair> waits(task.scratch, task.sort_bytes);
  sort_removals(task, turns_of(by_size), true, waits);
  std::vector<Place> rank = by_size;  // by turn: the lowest rank at which it can be taken
  waits.for_each([&](const VerifiedPair& wait) {
    const auto [waiting, first] = std::pair(wait.left, wait.right);
    if (by_size[waiting] >= task.fixed) rank[waiting] = std::max(rank[waiting], rank[first]);
    return true;
  });
  std::vector<Place> turns(task.items);
  std::iota(turns.begin(), turns.end(), Place{0});
  std::stable_sort(turns.begin() + task.fixed, turns.end(),
                   [&](Place a, Place b) { return rank[a] < rank[b]; });
  std::vector<Place> order(task.items);
  std::transform(turns.begin(), turns.end(), order.begin(),
                 [&](Place turn) { return by_size[turn]; });
  return order;
}

}  // namespace

// Removals are listed by the survivors' turns, and within a survivor by the items' own turns.
void for_each_contained(const ContainedStarTask& task,
                        const std::function<void(Place, Place, const Overlap&)>& each) {
  const std::vector<Place> order = task.by_rank ? order_by_rank(task) : order_by_size(task);
  SortedRecords<VerifiedPair> removals(task.scratch, task.sort_bytes);
  sort_removals(task, turns_of(order), false, removals);
  std::vector<bool> is_removed(task.items);
  removals.for_each([&](const VerifiedPair& pair) {
    const auto [earlier, later] = std::pair(pair.left, pair.right);
    if (is_removed[earlier] || is_removed[later] || order[later] < task.fixed) return true;
    is_removed[later] = true;
    each(order[later], order[earlier], pair.overlap);
    return true;
  });
}

Clusters contained_star(const ContainedStarTask& task) {
  Clusters clusters;
  clusters.survivor.resize(task.items);
  std::iota(clusters.survivor.begin(), clusters.survivor.end(), Place{0});
  clusters.overlap.resize(task.items);
  for_each_contained(task, [&](Place item, Place survivor, const Overlap& overlap) {
    clusters.survivor[item] = survivor;
    clusters.overlap[item] = overlap;
  });
  return clusters;
}

}  // namespace sosie
