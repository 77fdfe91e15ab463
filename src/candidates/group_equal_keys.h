#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"

namespace sosie {

// Keys of one band for a run of items; places[i] is kNoPlace for an item that takes no part.
struct KeyColumn {
  std::span<const std::uint64_t> keys;  // below 2^40
  std::span<const Place> places;        // one for each key
};

// Working memory of grouping, kept between bands by a worker.
struct GroupingScratch {
  std::vector<std::uint64_t> entries;
  std::vector<std::uint32_t> slots;
  std::vector<std::uint64_t> slot_keys;
  std::vector<std::uint32_t> slot_counts;
  std::vector<std::uint64_t> slot_starts;
};

// Which keys are grouped: one of `count` ranges of all keys.
struct KeyRange {
  std::size_t index = 0;
  std::size_t count = 1;
};

// Items with equal keys, one bucket each (MMDS 3.4.1): a 12-bit partition, then a small hash table
// a part that stays in cache. Buckets come in an order that depends on the keys only, range by
// range; members ascend. O(n) expected; 8 bytes of working memory for each item whose key is in the
// range.
[[nodiscard]] Buckets group_equal_keys(std::span<const KeyColumn> columns, GroupingScratch& scratch,
                                       const KeyRange& range = {});
// Groups all keys by all workers: same buckets, same order.
[[nodiscard]] Buckets group_equal_keys(std::span<const KeyColumn> columns, ThreadPool& pool);

// All bands' buckets in one list.
[[nodiscard]] Buckets join_bands(std::vector<Buckets> bands);

// One bucket that holds every item: what `--method brute` compares.
[[nodiscard]] Buckets single_bucket(Place items);

[[nodiscard]] BucketsOfItems buckets_of_items(const Buckets& buckets, Place items,
                                              ThreadPool& pool);

}  // namespace sosie
