#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"

namespace sosie {

// Keys of a band for a range of items; places[i] is kNoPlace for an item that does not take part.
struct KeyColumn {
  std::span<const std::uint64_t> keys;  // below 2^40
  std::span<const Place> places;        // one for each key
};

// Working memory for grouping, kept between bands by a worker.
struct GroupingScratch {
  std::vector<std::uint64_t> entries;
  std::vector<std::uint32_t> slots;
  std::vector<std::uint64_t> slot_keys;
  std::vector<std::uint32_t> slot_counts;
  std::vector<std::uint64_t> slot_starts;
};

// Keys to be grouped: divided into `count` ranges, the `width` ranges starting with `index`.
struct KeyRange {
  std::size_t index = 0;
  std::size_t count = 1;
  std::size_t width = 1;

  [[nodiscard]] bool holds(std::uint64_t key) const noexcept;
};

// Items with equal keys, one bucket per key (MMDS 3.4.1): a 12-bit partition, then for each part a
// small hash table that stays in cache. The order of buckets depends on the keys only, range by
// range; members ascend. O(n) expected; 8 bytes of working memory for each item whose key is in the
// range.
[[nodiscard]] Buckets group_equal_keys(std::span<const KeyColumn> columns, GroupingScratch& scratch,
                                       const KeyRange& range = {});
// Groups all keys with all workers: same buckets, same order.
[[nodiscard]] Buckets group_equal_keys(std::span<const KeyColumn> columns, ThreadPool& pool);

// All bands' buckets in one list.
[[nodiscard]] Buckets join_bands(std::vector<Buckets> bands);

// A single bucket with every item, for `--method brute`.
[[nodiscard]] Buckets single_bucket(Place items);

[[nodiscard]] BucketsOfItems buckets_of_items(const Buckets& buckets, Place items,
                                              ThreadPool& pool);

// A growing table of items by their band keys. 20 to 24 bytes per item.
class KeyTable {
 public:
  void add(std::uint64_t key, Place item);

  // Calls each(item) for the items added under the key, latest first.
  template <typename Each>
  void for_each(std::uint64_t key, const Each& each) const {
    if (slots_.empty()) return;
    for (std::uint32_t at = slots_[slot_of(key)]; at != kNone; at = postings_[at].previous) {
      if (postings_[at].key == key) each(postings_[at].item);
    }
  }

  // Renumbers the items: item becomes new_number[item], or is removed if that is kNoPlace.
  void renumber(const std::vector<Place>& new_number);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Posting {
    std::uint64_t key;
    Place item;
    std::uint32_t previous;  // previous entry of the same slot
  };

  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const noexcept;
  void chain(std::size_t slots);

  std::vector<Posting> postings_;
  std::vector<std::uint32_t> slots_;  // the latest posting of each slot; a power of two, or none
};

}  // namespace sosie
