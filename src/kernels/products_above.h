#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Writes the positions where left · right, rounded, is above `least`, ascending, and returns their
// number. `places`: has space for `count` and kSpareIndexes more.
std::size_t products_above(const float* left, const float* right, std::size_t count, float least,
                           std::uint32_t* places) noexcept;

inline constexpr std::size_t kSpareIndexes = 16;

}  // namespace sosie::kernels
