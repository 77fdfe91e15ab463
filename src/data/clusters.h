#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/buckets.h"
#include "data/overlap.h"

namespace sosie {

// The result of clustering, by place: the survivor that removed the item (the item itself if it
// survives), and the verified overlap between the item and its survivor.
struct Clusters {
  std::vector<Place> survivor;
  std::vector<Overlap> overlap;  // overlap between a removed item and its survivor
};

// Two verified items, left < right.
struct VerifiedPair {
  Place left = 0;
  Place right = 0;
  Overlap overlap;
};

// Pairs are sorted by (left, right).
[[nodiscard]] inline std::uint64_t sort_key(const VerifiedPair& pair) noexcept {
  return std::uint64_t{pair.left} << 32 | pair.right;
}

// Passes all pairs to its argument in chunks, sorted by (left, right) across chunks. Can be called
// repeatedly.
using PairSource = std::function<void(const std::function<void(std::span<const VerifiedPair>)>&)>;

// A source for the pairs in a list, which must outlive the source.
[[nodiscard]] inline PairSource all_of(std::span<const VerifiedPair> pairs) {
  return [pairs](const std::function<void(std::span<const VerifiedPair>)>& each) { each(pairs); };
}

// Pairs to report: all, or only those with left < left_end and right >= right_begin.
struct PairScope {
  Place left_end = kNoPlace;
  Place right_begin = 0;
};

// A set that is similar to the set looked up; in the overlap, the set looked up is on the left.
struct SimilarSet {
  Place position;
  Overlap overlap;
};

}  // namespace sosie
