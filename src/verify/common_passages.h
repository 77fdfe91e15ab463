#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// `count` words from left[left] that equal those from right[right].
struct CommonPassage {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t count = 0;

  friend bool operator==(const CommonPassage&, const CommonPassage&) = default;
};

// The passages of at least `least` words (at least 1) that `left` has in common with `right`,
// wherever they are in `right` (equal numbers are equal words): first the longest passage, then the
// longest in the rest of `left`, and so on (greedy tiling; Wise, "YAP3", 1996). A word of `left` is
// in at most one passage; a word of `right` can be in any number of passages. Passages are in the
// order of `left`. O(n log^2 n) time for n words in both texts together, 40 bytes per word; at most
// 2^30 words.
[[nodiscard]] std::vector<CommonPassage> common_passages(std::span<const std::uint64_t> left,
                                                         std::span<const std::uint64_t> right,
                                                         std::uint32_t least);

}  // namespace sosie
