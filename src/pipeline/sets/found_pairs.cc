#include "pipeline/sets/found_pairs.h"

#include <numeric>

namespace sosie {

SpilledNeighbours::SpilledNeighbours(Place items, Scratch& scratch, const MemoryBudget& budget)
    : sorted_(std::in_place, scratch, budget.sorts()),
      by_item_(scratch, sizeof(Neighbour), kSmallPage),
      starts_(std::size_t{items} + 1, 0) {}

void SpilledNeighbours::add(std::span<const VerifiedPair> pairs) {
  const std::lock_guard lock(mutex_);
  for (const VerifiedPair& pair : pairs) {
    sorted_->add({std::uint64_t{pair.left} << 32 | pair.right, pair.overlap});
    sorted_->add({std::uint64_t{pair.right} << 32 | pair.left, pair.overlap.flipped()});
  }
}

void SpilledNeighbours::finish() {
  sorted_->drain([&](const Keyed& pair) {
    const Neighbour neighbour{static_cast<Place>(pair.key), pair.overlap};
    ++starts_[(pair.key >> 32) + 1];
    by_item_.append(&neighbour, 1);
  });
  sorted_.reset();
  by_item_.finish();
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

void SpilledNeighbours::for_each_pair(
    const std::function<void(std::span<const VerifiedPair>)>& each) const {
  constexpr std::size_t kPairsAtOnce = 4096;
  Reader reader(*this);
  std::vector<VerifiedPair> some;
  for (Place item = 0; item + 1 < starts_.size(); ++item) {
    reader.for_each(item, [&](const Neighbour& neighbour) {
      if (neighbour.item > item) some.push_back({item, neighbour.item, neighbour.overlap});
    });
    if (some.size() < kPairsAtOnce) continue;
    each(some);
    some.clear();
  }
  each(some);
}

PairSource FoundPairs::source() const {
  if (!spilled) return all_of(pairs);
  return [this](const std::function<void(std::span<const VerifiedPair>)>& each) {
    spilled->for_each_pair(each);
  };
}

}  // namespace sosie
