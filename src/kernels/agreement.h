#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// How many of `count` bytes are equal. count is a multiple of 8.
[[nodiscard]] std::size_t agreement(const std::uint8_t* a, const std::uint8_t* b,
                                    std::size_t count) noexcept;

// How many bits differ between a and b, `words` 64-bit words each.
[[nodiscard]] std::size_t hamming(const std::uint64_t* a, const std::uint64_t* b,
                                  std::size_t words) noexcept;

}  // namespace sosie::kernels
