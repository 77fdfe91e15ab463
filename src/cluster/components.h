#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "data/clusters.h"

namespace sosie {

// Items connected by links, directly or through other items. Several threads may link and look up
// items concurrently (Jayanti and Tarjan, 2016: a randomized concurrent algorithm for disjoint set
// union).
class Components {
 public:
  explicit Components(Place items);

  // The lowest item in the component according to the links so far. Amortised O(log items).
  [[nodiscard]] Place root_of(Place item) noexcept;
  void link(Place left, Place right) noexcept;

 private:
  std::vector<Place> parent_;
};

// Number of connected components if two items in the same bucket count as linked: the groups that
// banding would produce without verification. Components that contain one of the first `fixed`
// items are not counted. O(members).
[[nodiscard]] std::uint64_t count_components(const Buckets& buckets, Place items, ThreadPool& pool,
                                             Place fixed = 0);

// For each item, the lowest item in its component, with the same links as above. O(members).
[[nodiscard]] std::vector<Place> bucket_components(const Buckets& buckets, Place items,
                                                   ThreadPool& pool);

// Connected components of verified pairs (left < right). In each component, the best-ranked item
// removes all others, except the first `fixed` items, which always survive. If an item and its
// survivor are not a verified pair, the overlap stays {0, 0}; the caller can compute it.
[[nodiscard]] Clusters component_clusters(Place items, const PairSource& pairs, Place fixed = 0);

}  // namespace sosie
