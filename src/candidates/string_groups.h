#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "candidates/string_keys.h"
#include "core/thread_pool.h"

namespace sosie {

// Pairs of items that share a key of some jobs.
struct StringGroups {
  const OrderedStrings* strings = nullptr;
  const StringKeys* keys = nullptr;
  std::vector<KeyJob> jobs = {};
  std::uint32_t most_bits = 0;   // that signatures may differ in
  std::uint64_t most_bytes = 0;  // keys in memory; more are made in several passes
};

// Number of passes that so many keys are made in.
[[nodiscard]] std::uint64_t key_passes(double keys, std::uint64_t most_bytes) noexcept;

// One item with others: that follow it in the order of items or, across, that are of the other
// side. From several workers at a time.
using EachStringGroup =
    std::function<void(unsigned worker, std::uint32_t item, std::span<const std::uint32_t> others)>;

// Hands over all pairs that share a key and whose signatures are near: of two items with deletions,
// or of a string and a longer or equally long one that has one of its pieces as a window. A pair
// may come more than once. Returns how many pairs shared a key. Throws Error{cancelled}. Memory:
// most_bytes, 8 for each key, and as much for the largest group.
std::uint64_t find_string_candidates(const StringGroups& groups, ThreadPool& pool,
                                     const EachStringGroup& each);

}  // namespace sosie
