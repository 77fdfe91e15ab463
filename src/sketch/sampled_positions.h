#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sosie {

// Positions that functions of the family "bit-sampling" look at, below `bits`. Drawn with
// replacement, so that functions are independent and an AND-construction of r of them keeps two
// strings together with probability (1 - d)^r exactly (MMDS 3.7.1).
[[nodiscard]] std::vector<std::uint32_t> sampled_positions(std::size_t count, std::size_t bits,
                                                           std::uint64_t seed);

// The bit that a row of 64-bit words has at a position.
[[nodiscard]] constexpr std::uint64_t bit_at(const std::uint64_t* row,
                                             std::uint32_t position) noexcept {
  return row[position / 64] >> (position % 64) & 1;
}

}  // namespace sosie
