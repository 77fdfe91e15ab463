// Connected components by union-find, and the components of items that share buckets.
#include "cluster/components.h"

#include <algorithm>
#include <numeric>

namespace sosie {

Components::Components(Place items) : parent_(items) {
  std::iota(parent_.begin(), parent_.end(), Place{0});
}

Place Components::root_of(Place item) noexcept {
  while (parent_[item] != item) {
    parent_[item] = parent_[parent_[item]];
    item = parent_[item];
  }
  return item;
}

void Components::link(Place left, Place right) noexcept {
  const Place a = root_of(left);
  const Place b = root_of(right);
  parent_[std::max(a, b)] = std::min(a, b);
}

namespace {

Components linked_by_buckets(const Buckets& buckets, Place items) {
  Components components(items);
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const Place first = buckets[i].front();
    for (const Place member : buckets[i].subspan(1)) components.link(first, member);
  }
  return components;
}

}  // namespace

std::uint64_t count_components(const Buckets& buckets, Place items, Place fixed) {
  Components components = linked_by_buckets(buckets, items);
  std::uint64_t count = 0;
  for (Place p = fixed; p < items; ++p) count += components.root_of(p) == p ? 1U : 0U;
  return count;
}

std::vector<Place> bucket_components(const Buckets& buckets, Place items) {
  Components components = linked_by_buckets(buckets, items);
  std::vector<Place> roots(items);
  for (Place p = 0; p < items; ++p) roots[p] = components.root_of(p);
  return roots;
}

Clusters component_clusters(Place items, const PairSource& pairs, Place fixed) {
  Components components(items);
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) components.link(pair.left, pair.right);
  });
  Clusters clusters;
  clusters.survivor.resize(items);
  clusters.overlap.resize(items);
  for (Place p = 0; p < items; ++p) clusters.survivor[p] = p < fixed ? p : components.root_of(p);
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      if (clusters.survivor[pair.right] == pair.left) clusters.overlap[pair.right] = pair.overlap;
    }
  });
  return clusters;
}

}  // namespace sosie
