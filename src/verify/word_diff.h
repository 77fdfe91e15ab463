#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

enum class DiffKind : std::uint8_t { same, removed, added };

// `count` words from left[left] and right[right] on; removed words have no right end, added ones no
// left: there the other position says where they would stand.
struct DiffRun {
  DiffKind kind = DiffKind::same;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t count = 0;

  friend bool operator==(const DiffRun&, const DiffRun&) = default;
};

// Edits that turn the words of `left` into the words of `right` (equal numbers are equal words):
// runs in text order, none empty, no two neighbours of one kind, removed before added. Least edits
// (Myers, "An O(ND) difference algorithm and its variations", 1986) where at most `most_edits` of
// them are needed; beyond that the texts are first cut at words that occur once in both (patience),
// and what still takes more is shown as removed and added. O((n + m) * most_edits) time,
// most_edits^2 / 2 integers.
[[nodiscard]] std::vector<DiffRun> word_diff(std::span<const std::uint64_t> left,
                                             std::span<const std::uint64_t> right,
                                             std::uint32_t most_edits = 1000);

}  // namespace sosie
