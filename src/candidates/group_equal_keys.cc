// Groups items with equal band keys into buckets: partitions the keys band by band, or keeps them
// in a growing table.
#include "candidates/group_equal_keys.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/mix64.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr int kKeyBits = 40;
constexpr int kPartBits = 12;
constexpr int kPlaceBits = 64 - (kKeyBits - kPartBits);  // in an entry, after the rest of the key
constexpr std::size_t kParts = std::size_t{1} << kPartBits;
constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;
constexpr std::uint64_t kUnset = ~std::uint64_t{0};

std::size_t part_of(std::uint64_t key) noexcept { return key >> (kKeyBits - kPartBits); }

std::uint64_t entry_of(std::uint64_t key, Place place) noexcept {
  return key << kPlaceBits | place;  // the part's bits are shifted out
}

std::size_t first_part(const KeyRange& range) noexcept {
  return kParts * range.index / range.count;
}

std::size_t end_part(const KeyRange& range) noexcept {
  return kParts * (range.index + range.width) / range.count;
}

template <class Each>
void for_each_key(std::span<const KeyColumn> columns, const Each& each) {
  for (const KeyColumn& column : columns) {
    for (std::size_t i = 0; i < column.keys.size(); ++i) {
      if (column.places[i] != kNoPlace) each(column.keys[i], column.places[i]);
    }
  }
}

// Sorts the entries of a range of keys into its parts; starts[p] .. starts[p+1] is part p. Keeps
// the order within a part.
std::vector<std::uint64_t> partition(std::span<const KeyColumn> columns, const KeyRange& range,
                                     std::vector<std::uint64_t>& entries) {
  const std::size_t first = first_part(range);
  const std::size_t parts = end_part(range) - first;
  std::vector<std::uint64_t> starts(parts + 1, 0);
  for_each_key(columns, [&](std::uint64_t key, Place) {
    const std::size_t part = part_of(key) - first;  // wraps around for a key before the range
    if (part < parts) ++starts[part + 1];
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  entries.resize(starts.back());
  std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
  for_each_key(columns, [&](std::uint64_t key, Place place) {
    const std::size_t part = part_of(key) - first;
    if (part < parts) entries[next[part]++] = entry_of(key, place);
  });
  return starts;
}

// Finds equal keys within one part and appends their buckets.
void group_part(std::span<const std::uint64_t> entries, GroupingScratch& scratch, Buckets& out) {
  const std::size_t table = std::bit_ceil(2 * entries.size());
  scratch.slots.resize(entries.size());
  scratch.slot_keys.assign(table, kUnset);
  scratch.slot_counts.assign(table, 0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t key = entries[i] >> kPlaceBits;
    // Keys of fewer than 40 bits may all have the same lowest bits.
    std::size_t slot = mix64(key) & (table - 1);
    while (scratch.slot_keys[slot] != kUnset && scratch.slot_keys[slot] != key) {
      slot = (slot + 1) & (table - 1);
    }
    scratch.slot_keys[slot] = key;
    scratch.slots[i] = static_cast<std::uint32_t>(slot);
    ++scratch.slot_counts[slot];
  }
  scratch.slot_starts.assign(table, kUnset);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint32_t slot = scratch.slots[i];
    if (scratch.slot_counts[slot] < 2) continue;
    if (scratch.slot_starts[slot] == kUnset) {
      scratch.slot_starts[slot] = out.members.size();
      out.members.resize(out.members.size() + scratch.slot_counts[slot]);
      out.starts.push_back(out.members.size());
    }
    out.members[scratch.slot_starts[slot]++] = static_cast<Place>(entries[i] & kPlaceMask);
  }
}

constexpr std::size_t kLeastTableSlots = 1024;

}  // namespace

bool KeyRange::holds(std::uint64_t key) const noexcept {
  return part_of(key) >= first_part(*this) && part_of(key) < end_part(*this);
}

Buckets group_equal_keys(std::span<const KeyColumn> columns, GroupingScratch& scratch,
                         const KeyRange& range) {
  const std::vector<std::uint64_t> starts = partition(columns, range, scratch.entries);
  Buckets buckets;
  for (std::size_t part = 0; part + 1 < starts.size(); ++part) {
    const std::span<const std::uint64_t> entries{scratch.entries.data() + starts[part],
                                                 scratch.entries.data() + starts[part + 1]};
    if (entries.size() >= 2) group_part(entries, scratch, buckets);
  }
  // Columns may list places in any order, but members must be ascending.
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const auto begin = buckets.members.begin();
    const auto first = begin + static_cast<std::ptrdiff_t>(buckets.starts[i]);
    const auto last = begin + static_cast<std::ptrdiff_t>(buckets.starts[i + 1]);
    if (!std::is_sorted(first, last)) std::sort(first, last);
  }
  return buckets;
}

Buckets group_equal_keys(std::span<const KeyColumn> columns, ThreadPool& pool) {
  std::vector<Buckets> of_ranges(pool.size());
  pool.for_each(of_ranges.size(), [&](unsigned /*worker*/, std::size_t i) {
    GroupingScratch scratch;
    of_ranges[i] = group_equal_keys(columns, scratch, {i, of_ranges.size()});
  });
  return join_bands(std::move(of_ranges));
}

Buckets join_bands(std::vector<Buckets> bands) {
  Buckets all;
  std::size_t members = 0;
  std::size_t buckets = 0;
  for (const Buckets& band : bands) {
    members += band.members.size();
    buckets += band.size();
  }
  all.members.reserve(members);
  all.starts.reserve(buckets + 1);
  for (Buckets& band : bands) {
    const std::uint64_t base = all.members.size();
    all.members.insert(all.members.end(), band.members.begin(), band.members.end());
    for (std::size_t i = 1; i < band.starts.size(); ++i)
      all.starts.push_back(base + band.starts[i]);
    band = Buckets{};
  }
  return all;
}

Buckets single_bucket(Place items) {
  Buckets one;
  if (items < 2) return one;
  one.members.resize(items);
  std::iota(one.members.begin(), one.members.end(), Place{0});
  one.starts.push_back(items);
  return one;
}

// Each worker reads all members and lists the buckets of some items, because sequential reads are
// cheap and scattered writes are not.
BucketsOfItems buckets_of_items(const Buckets& buckets, Place items, ThreadPool& pool) {
  constexpr std::size_t kMostShares = 8;
  const std::size_t shares = std::min<std::size_t>(pool.size(), kMostShares);
  const auto share_of = [&](std::size_t i) {
    return static_cast<Place>(std::uint64_t{items} * i / shares);
  };
  BucketsOfItems out;
  out.starts.assign(std::size_t{items} + 1, 0);
  pool.for_each(shares, [&](unsigned /*worker*/, std::size_t share) {
    const Place first = share_of(share);
    const Place count = share_of(share + 1) - first;
    for (const Place p : buckets.members) {
      if (p - first < count) ++out.starts[p + 1];
    }
  });
  std::partial_sum(out.starts.begin(), out.starts.end(), out.starts.begin());
  out.buckets.resize(buckets.members.size());
  std::vector<std::uint64_t> next(out.starts.begin(), out.starts.end() - 1);
  pool.for_each(shares, [&](unsigned /*worker*/, std::size_t share) {
    const Place first = share_of(share);
    const Place count = share_of(share + 1) - first;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      for (const Place p : buckets[i]) {
        if (p - first < count) out.buckets[next[p]++] = static_cast<std::uint32_t>(i);
      }
    }
  });
  return out;
}

std::size_t KeyTable::slot_of(std::uint64_t key) const noexcept {
  return mix64(key) & (slots_.size() - 1);
}

void KeyTable::chain(std::size_t slots) {
  slots_.assign(slots, kNone);
  for (std::uint32_t i = 0; i < postings_.size(); ++i) {
    std::uint32_t& last = slots_[slot_of(postings_[i].key)];
    postings_[i].previous = last;
    last = i;
  }
}

void KeyTable::add(std::uint64_t key, Place item) {
  if (postings_.size() == kNone) {
    throw Error(ErrorKind::limit_exceeded, "an index of more than 4,294,967,295 band keys");
  }
  if (postings_.size() == slots_.size()) chain(std::max(kLeastTableSlots, 2 * slots_.size()));
  std::uint32_t& last = slots_[slot_of(key)];
  postings_.push_back({key, item, last});
  last = static_cast<std::uint32_t>(postings_.size() - 1);
}

void KeyTable::renumber(const std::vector<Place>& new_number) {
  for (Posting& posting : postings_) posting.item = new_number[posting.item];
  std::erase_if(postings_, [](const Posting& posting) { return posting.item == kNoPlace; });
  postings_.shrink_to_fit();
  std::size_t slots = kLeastTableSlots;
  while (slots < postings_.size()) slots *= 2;
  slots_.shrink_to_fit();
  chain(slots);
}

}  // namespace sosie
