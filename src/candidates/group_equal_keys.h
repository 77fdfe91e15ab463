#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"

namespace sosie {

// The keys of a band for a range of items. places[i] is kNoPlace for an item that does not take
// part.
struct KeyColumn {
  std::span<const std::uint64_t> keys;  // below 2^40
  std::span<const Place> places;        // one per key
};

// Buffers for grouping; a worker reuses them for every band.
struct GroupingScratch {
  std::vector<std::uint64_t> entries;
  std::vector<std::uint32_t> slots;
  std::vector<std::uint64_t> slot_keys;
  std::vector<std::uint32_t> slot_counts;
  std::vector<std::uint64_t> slot_starts;
};

// Selects the keys to be grouped: the keys are divided into `count` ranges, of which `width` ranges
// are grouped, starting with range `index`.
struct KeyRange {
  std::size_t index = 0;
  std::size_t count = 1;
  std::size_t width = 1;

  [[nodiscard]] bool holds(std::uint64_t key) const noexcept;
};

// Puts items with equal keys into the same bucket, one bucket per key (MMDS 3.4.1): partitions the
// keys by 12 bits, then fills a small hash table for each partition, which stays in cache. The
// order of buckets depends only on the keys, range by range; members are in ascending order. O(n)
// expected; needs 8 bytes for each item whose key is in the range.
[[nodiscard]] Buckets group_equal_keys(std::span<const KeyColumn> columns, GroupingScratch& scratch,
                                       const KeyRange& range = {});
// Groups all keys on all workers. The buckets and their order are the same as above.
[[nodiscard]] Buckets group_equal_keys(std::span<const KeyColumn> columns, ThreadPool& pool);

// Joins the buckets of all bands into one list.
[[nodiscard]] Buckets join_bands(std::vector<Buckets> bands);

// A single bucket with all items, for `--method brute`.
[[nodiscard]] Buckets single_bucket(Place items);

[[nodiscard]] BucketsOfItems buckets_of_items(const Buckets& buckets, Place items,
                                              ThreadPool& pool);

// A table of items by their band keys that can grow. 20 to 24 bytes per item.
class KeyTable {
 public:
  void add(std::uint64_t key, Place item);

  // Calls each(item) for every item added under the key, latest first.
  template <typename Each>
  void for_each(std::uint64_t key, const Each& each) const {
    if (slots_.empty()) return;
    for (std::uint32_t at = slots_[slot_of(key)]; at != kNone; at = postings_[at].previous) {
      if (postings_[at].key == key) each(postings_[at].item);
    }
  }

  // Renumbers the items: an item becomes new_number[item], or is removed if that is kNoPlace.
  void renumber(const std::vector<Place>& new_number);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Posting {
    std::uint64_t key;
    Place item;
    std::uint32_t previous;  // previous entry in the same slot
  };

  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const noexcept;
  void chain(std::size_t slots);

  std::vector<Posting> postings_;
  std::vector<std::uint32_t> slots_;  // the latest posting in each slot; a power of two, or none
};

}  // namespace sosie
