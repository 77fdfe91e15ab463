#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// Rows of a table of edit distances 64 at a time, one bit each: a strip is some words of rows,
// which is taken column by column. What leaves its last row in a column is carried into the next
// strip.
namespace sosie {

// Differences between neighbours in the table, each 1, 0 or -1: Myers 1999 as Hyyrö 2003 has it,
// with swaps of neighbours where kSwaps. kWords words of rows.
template <std::size_t kWords, bool kSwaps>
struct DistanceStrip {
  // Carry of a column: its difference in the last row is 1 (bit 0) or -1 (bit 1); a swap may
  // begin there (bit 2). A first row grows by 1 in each column.
  static constexpr std::uint8_t kFirstRow = 1;

  std::array<std::uint64_t, kWords> plus;
  std::array<std::uint64_t, kWords> minus{};
  std::array<std::uint64_t, kWords> old_masks{};
  std::array<std::uint64_t, kWords> old_zero{};

  DistanceStrip() { plus.fill(~std::uint64_t{0}); }

  // `last_bit`: of the last row in the last word.
  std::uint8_t step(const std::uint64_t* masks, std::uint8_t in, unsigned last_bit) noexcept {
    std::uint64_t plus_in = in & 1U;
    std::uint64_t minus_in = in >> 1 & 1U;
    std::uint64_t swap_in = in >> 2;
    std::uint8_t out = 0;
    for (std::size_t w = 0; w < kWords; ++w) {
      const std::uint64_t equal = masks[w] | minus_in;
      std::uint64_t zero = (((equal & plus[w]) + plus[w]) ^ plus[w]) | equal | minus[w];
      std::uint64_t swaps = 0;
      if constexpr (kSwaps) {
        swaps = ~old_zero[w] & masks[w];
        zero |= (swaps << 1 | swap_in) & old_masks[w];
        swap_in = swaps >> 63;
        old_masks[w] = masks[w];
        old_zero[w] = zero;
      }
      std::uint64_t across_plus = minus[w] | ~(zero | plus[w]);
      std::uint64_t across_minus = zero & plus[w];
      if (w + 1 == kWords) {
        out = static_cast<std::uint8_t>((across_plus >> last_bit & 1U) |
                                        (across_minus >> last_bit & 1U) << 1 |
                                        (swaps >> last_bit & 1U) << 2);
      }
      const std::uint64_t plus_out = across_plus >> 63;
      const std::uint64_t minus_out = across_minus >> 63;
      across_plus = across_plus << 1 | plus_in;
      across_minus = across_minus << 1 | minus_in;
      plus[w] = across_minus | ~(zero | across_plus);
      minus[w] = across_plus & zero;
      plus_in = plus_out;
      minus_in = minus_out;
    }
    return out;
  }

  // Change of the last row by a column.
  static constexpr int change(std::uint8_t out) noexcept { return (out & 1) - (out >> 1 & 1); }
};

// Lengths of longest common subsequences: a zero is a row that is 1 above the one before it.
// Hyyrö, AWOCA 2004.
template <std::size_t kWords>
struct SubsequenceStrip {
  static constexpr std::uint8_t kFirstRow = 0;

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

  // Sum over the strip's rows, the last of which stands at this bit of the last word.
  [[nodiscard]] std::uint32_t rows_above(unsigned last_bit) const noexcept {
    int count = std::popcount(~level[kWords - 1] << (63 - last_bit));
    for (std::size_t w = 0; w + 1 < kWords; ++w) count += std::popcount(~level[w]);
    return static_cast<std::uint32_t>(count);
  }
};

}  // namespace sosie
