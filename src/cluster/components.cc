// Connected components by union-find, and components of items in shared buckets.
#include "cluster/components.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace sosie {

Components::Components(Place items) : parent_(items) {
  std::iota(parent_.begin(), parent_.end(), Place{0});
}

// A node that is not a root never becomes one again, and each parent remains an ancestor, so a
// shortened path remains valid even if another thread overwrites it.
Place Components::root_of(Place item) noexcept {
  while (true) {
    const std::atomic_ref<Place> own(parent_[item]);
    const Place parent = own.load(std::memory_order_relaxed);
    if (parent == item) return item;
    const Place above = std::atomic_ref(parent_[parent]).load(std::memory_order_relaxed);
    if (above != parent) own.store(above, std::memory_order_relaxed);
    item = above;
  }
}

void Components::link(Place left, Place right) noexcept {
  while (true) {
    const Place a = root_of(left);
    const Place b = root_of(right);
    if (a == b) return;
    Place larger = std::max(a, b);
    const std::atomic_ref<Place> parent(parent_[larger]);
    // Fails if another thread has already linked this root.
    if (parent.compare_exchange_strong(larger, std::min(a, b), std::memory_order_relaxed)) return;
  }
}

namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 14;

std::size_t shares_of(std::size_t count) { return (count + kAtOnce - 1) / kAtOnce; }

Components linked_by_buckets(const Buckets& buckets, Place items, ThreadPool& pool) {
  Components components(items);
  pool.for_each(shares_of(buckets.size()), [&](unsigned /*worker*/, std::size_t share) {
    const std::size_t end = std::min(buckets.size(), (share + 1) * kAtOnce);
    for (std::size_t i = share * kAtOnce; i < end; ++i) {
      const Place first = buckets[i].front();
      for (const Place member : buckets[i].subspan(1)) components.link(first, member);
    }
  });
  return components;
}

}  // namespace

std::uint64_t count_components(const Buckets& buckets, Place items, ThreadPool& pool, Place fixed) {
  Components components = linked_by_buckets(buckets, items, pool);
  std::atomic<std::uint64_t> count = 0;
  pool.for_each(shares_of(items - fixed), [&](unsigned /*worker*/, std::size_t share) {
    const std::size_t end = std::min<std::size_t>(items, fixed + (share + 1) * kAtOnce);
    std::uint64_t roots = 0;
    for (auto p = static_cast<Place>(fixed + share * kAtOnce); p < end; ++p) {
      roots += components.root_of(p) == p ? 1U : 0U;
    }
    count += roots;
  });
  return count;
}

std::vector<Place> bucket_components(const Buckets& buckets, Place items, ThreadPool& pool) {
  Components components = linked_by_buckets(buckets, items, pool);
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
