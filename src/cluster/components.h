#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "data/clusters.h"

namespace sosie {

// Items connected by links, directly or through others. Several threads may link and look up
// concurrently (Jayanti and Tarjan, 2016: a randomized concurrent algorithm for disjoint set
// union).
class Components {
 public:
  explicit Components(Place items);

  // The lowest item of the component as linked so far. Amortised O(log items).
  [[nodiscard]] Place root_of(Place item) noexcept;
  void link(Place left, Place right) noexcept;

 private:
  std::vector<Place> parent_;
};

// Number of connected components of the items if sharing a bucket links two items: the groups that
// banding would give without verification. Components with one of the first `fixed` items do not
// count. O(members).
[[nodiscard]] std::uint64_t count_components(const Buckets& buckets, Place items, ThreadPool& pool,
                                             Place fixed = 0);

// The component of each item, by the same links: its lowest item. O(members).
[[nodiscard]] std::vector<Place> bucket_components(const Buckets& buckets, Place items,
                                                   ThreadPool& pool);

// Connected components of verified pairs (left < right): each item is removed by the best-ranked
// one of its component, except the first `fixed`, which always survive. The overlap of an item that
// forms no pair with its survivor is left {0, 0}: the caller knows their texts.
[[nodiscard]] Clusters component_clusters(Place items, const PairSource& pairs, Place fixed = 0);

}  // namespace sosie
