#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

// Rows of a table of edit distances, 64 at a time with one bit each. A strip consists of a few
// words of rows and is processed column by column. In each column, the carry out of the strip's
// last row enters the next strip.
namespace sosie {

// Differences between adjacent cells in the table, each 1, 0 or -1: Myers 1999 in the form of Hyyrö
// 2003, with swaps of adjacent characters if kSwaps. A strip has kWords words of rows.
template <std::size_t kWords, bool kSwaps>
struct DistanceStrip {
  // The carry of a column: the difference in its last row is 1 (bit 0) or -1 (bit 1); a swap may
  // begin there (bit 2). The first row grows by 1 in each column.
  static constexpr std::uint8_t kFirstRow = 1;
  static constexpr std::size_t kStripWords = kWords;

  std::array<std::uint64_t, kWords> plus;
  std::array<std::uint64_t, kWords> minus{};
  std::array<std::uint64_t, kWords> old_masks{};
  std::array<std::uint64_t, kWords> old_zero{};

  DistanceStrip() { plus.fill(~std::uint64_t{0}); }

  // `last_bit`: bit of the last row in the last word.
  std::uint8_t step(const std::uint64_t* masks, std::uint8_t in, unsigned last_bit) noexcept {
    Carry carry(in);
    [&]<std::size_t... kWord>(std::index_sequence<kWord...>) {
      (step_word(kWord, masks[kWord], kWord + 1 == kWords ? last_bit : 63, carry), ...);
    }
    (std::make_index_sequence<kWords>{});
    return carry.out();
  }

  // Change in the last row from one column to the next.
  static constexpr int change(std::uint8_t out) noexcept { return (out & 1) - (out >> 1 & 1); }

 private:
  // The bits of a carry.
  struct Carry {
    explicit Carry(std::uint8_t in) noexcept : plus(in & 1U), minus(in >> 1 & 1U), swap(in >> 2) {}
    [[nodiscard]] std::uint8_t out() const noexcept {
      return static_cast<std::uint8_t>(plus | minus << 1 | swap << 2);
    }
    std::uint64_t plus;
    std::uint64_t minus;
    std::uint64_t swap;
  };

  // Differences of 1 are stored as their complement between two steps, which shortens the chain of
  // dependent operations.
  void step_word(std::size_t w, std::uint64_t mask, unsigned last_bit, Carry& carry) noexcept {
    const std::uint64_t equal = mask | carry.minus;
    std::uint64_t zero = (((equal & plus[w]) + plus[w]) ^ plus[w]) | (equal | minus[w]);
    if constexpr (kSwaps) {
      const std::uint64_t swaps = ~old_zero[w] & mask;
      zero |= (swaps << 1 | carry.swap) & old_masks[w];
      carry.swap = swaps >> last_bit & 1U;
      old_masks[w] = mask;
      old_zero[w] = zero;
    }
    std::uint64_t across_not_plus = (zero | plus[w]) & ~minus[w];
    std::uint64_t across_minus = zero & plus[w];
    const std::uint64_t plus_out = ~across_not_plus >> last_bit & 1U;
    const std::uint64_t minus_out = across_minus >> last_bit & 1U;
    across_not_plus = across_not_plus << 1 | (carry.plus ^ 1U);
    across_minus = across_minus << 1 | carry.minus;
    plus[w] = across_minus | (~zero & across_not_plus);
    minus[w] = zero & ~across_not_plus;
    carry.plus = plus_out;
    carry.minus = minus_out;
  }
};

// Lengths of longest common subsequences: a zero bit marks a row that is 1 higher than the previous
// one. Hyyrö, AWOCA 2004.
template <std::size_t kWords>
struct SubsequenceStrip {
  static constexpr std::uint8_t kFirstRow = 0;
  static constexpr std::size_t kStripWords = kWords;

  std::array<std::uint64_t, kWords> level;

  SubsequenceStrip() { level.fill(~std::uint64_t{0}); }

  std::uint8_t step(const std::uint64_t* masks, std::uint8_t in, unsigned /*last_bit*/) noexcept {
    std::uint64_t carry = in;
    for (std::size_t w = 0; w < kWords; ++w) {
      const std::uint64_t matched = level[w] & masks[w];
      const std::uint64_t sum = level[w] + matched;
      const std::uint64_t total = sum + carry;
      carry = static_cast<std::uint64_t>(sum < matched) | static_cast<std::uint64_t>(total < sum);
      level[w] = total | (level[w] - matched);
    }
    return static_cast<std::uint8_t>(carry);
  }

  static constexpr int change(std::uint8_t out) noexcept { return out; }

  // Sum over the strip's rows, the last of which is at this bit of the last word.
  [[nodiscard]] std::uint32_t rows_above(unsigned last_bit) const noexcept {
    int count = std::popcount(~level[kWords - 1] << (63 - last_bit));
    for (std::size_t w = 0; w + 1 < kWords; ++w) count += std::popcount(~level[w]);
    return static_cast<std::uint32_t>(count);
  }
};

// The columns, relative to the number of a row, that a path with `most` edits can touch, and one
// column more for swaps that begin before them.
struct Band {
  Band(std::int64_t rows, std::int64_t columns, std::int64_t most) noexcept
      : lowest(-((most - (columns - rows)) / 2) - 1), highest((most + (columns - rows)) / 2 + 1) {}

  std::int64_t lowest;
  std::int64_t highest;
};

}  // namespace sosie
