#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// For two strings of `words` 64-bit words, the number of bits that are 1 in both and the number of
// bits that are 1 in at least one.
struct SharedBits {
  std::uint64_t shared;
  std::uint64_t united;
};
[[nodiscard]] SharedBits shared_bits(const std::uint64_t* left, const std::uint64_t* right,
                                     std::size_t words) noexcept;

// Number of bits that are 1.
[[nodiscard]] std::uint64_t count_ones(const std::uint64_t* string, std::size_t words) noexcept;

}  // namespace sosie::kernels
