#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// A panel is kPanelVectors vectors of 16-bit components, interleaved so that one load takes two
// components of many vectors: components 2k and 2k + 1 of vector v stand at
// [(k * kPanelVectors + v) * 2]. `pairs` is half the number of components.
inline constexpr std::size_t kPanelVectors = 32;

// So many panels hold these rows.
[[nodiscard]] constexpr std::size_t panels_of(std::size_t rows) noexcept {
  return (rows + kPanelVectors - 1) / kPanelVectors;
}

// For each of `right_count` panels behind each other, which inner products of a vector x of `left`
// with a vector y of it reach left_limits[x] + right_limits[y]: bit y of hits[panel * kPanelVectors
// + x]. No product, nor the sum of any of its terms up to some place, may leave 32 bits; lengths
// below 2^15.5 see to that.
void products_reaching(const std::int16_t* left, const std::int16_t* right, std::size_t right_count,
                       std::size_t pairs, const std::int32_t* left_limits,
                       const std::int32_t* right_limits, std::uint32_t* hits) noexcept;

}  // namespace sosie::kernels
