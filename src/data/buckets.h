#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// The place of an item in rank order; the item at place 0 is kept first. Candidates, clustering and
// verification all use places, so "best rank first" simply means "ascending".
using Place = std::uint32_t;
inline constexpr Place kNoPlace = ~Place{0};

// Buckets with at least two items, over all bands.
struct Buckets {
  std::vector<std::uint64_t> starts{0};  // bucket i holds members[starts[i] .. starts[i+1])
  std::vector<Place> members;            // ascending within a bucket

  [[nodiscard]] std::size_t size() const noexcept { return starts.size() - 1; }
  [[nodiscard]] std::span<const Place> operator[](std::size_t i) const noexcept {
    return {members.data() + starts[i], members.data() + starts[i + 1]};
  }
};

// The inverse of Buckets: item p is in the buckets buckets[starts[p] .. starts[p+1]), in ascending
// order.
struct BucketsOfItems {
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> buckets;

  [[nodiscard]] std::span<const std::uint32_t> operator[](Place p) const noexcept {
    return {buckets.data() + starts[p], buckets.data() + starts[p + 1]};
  }
  [[nodiscard]] bool share_one(Place left, Place right) const noexcept {
    const auto lefts = (*this)[left];
    const auto rights = (*this)[right];
    auto a = lefts.begin();
    auto b = rights.begin();
    while (a != lefts.end() && b != rights.end()) {
      if (*a == *b) return true;
      *a < *b ? ++a : ++b;
    }
    return false;
  }
};

}  // namespace sosie
