#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Writes to `places`, in ascending order, the positions at which left · right, rounded, is above
// `least`, and returns how many there are. `places` must have space for `count` + kSpareIndexes
// positions.
std::size_t products_above(const float* left, const float* right, std::size_t count, float least,
                           std::uint32_t* places) noexcept;

inline constexpr std::size_t kSpareIndexes = 16;

}  // namespace sosie::kernels
