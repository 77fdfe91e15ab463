#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

enum class DiffKind : std::uint8_t { same, removed, added };

// `count` words from left[left] and right[right]. Removed words have no counterpart on the right,
// added words none on the left; the position on that side is where they would be.
struct DiffRun {
  DiffKind kind = DiffKind::same;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t count = 0;

  friend bool operator==(const DiffRun&, const DiffRun&) = default;
};

// The edits that turn the words of `left` into the words of `right` (equal numbers are equal
// words): nonempty runs in text order, where adjacent runs are of different kinds and removed runs
// come before added ones. The number of edits is minimal (Myers, "An O(ND) difference algorithm and
// its variations", 1986) if at most `most_edits` are needed. Otherwise, the texts are first divided
// at words that occur once in both (patience), and parts that still need more edits are shown as
// removed and added. O((n + m) * most_edits) time, most_edits^2 / 2 integers.
[[nodiscard]] std::vector<DiffRun> word_diff(std::span<const std::uint64_t> left,
                                             std::span<const std::uint64_t> right,
                                             std::uint32_t most_edits = 1000);

}  // namespace sosie
