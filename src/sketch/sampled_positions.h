#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sosie {

// The positions, below `bits`, that the functions of the family "bit-sampling" read. They are
// sampled with replacement, so that functions are independent and an AND-construction of r
// functions keeps two strings together with probability exactly (1 - d)^r (MMDS 3.7.1).
[[nodiscard]] std::vector<std::uint32_t> sampled_positions(std::size_t count, std::size_t bits,
                                                           std::uint64_t seed);

// The bit at a position in a row of 64-bit words.
[[nodiscard]] constexpr std::uint64_t bit_at(const std::uint64_t* row,
                                             std::uint32_t position) noexcept {
  return row[position / 64] >> (position % 64) & 1;
}

}  // namespace sosie
