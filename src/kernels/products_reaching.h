#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// A panel consists of kPanelVectors vectors of 16-bit components, interleaved so that a single load
// reads two components of many vectors: components 2k and 2k + 1 of vector v are at [(k *
// kPanelVectors + v) * 2]. `pairs` is half the number of components.
inline constexpr std::size_t kPanelVectors = 32;

// Number of panels needed for this many rows.
[[nodiscard]] constexpr std::size_t panels_of(std::size_t rows) noexcept {
  return (rows + kPanelVectors - 1) / kPanelVectors;
}

// For each of `right_count` consecutive panels, finds the vectors x of `left` and y of the panel
// whose inner product reaches left_limits[x] + right_limits[y], and sets bit y of hits[panel *
// kPanelVectors + x]. No product, and no partial sum of its terms, may exceed 32 bits; lengths
// below 2^15.5 guarantee this.
void products_reaching(const std::int16_t* left, const std::int16_t* right, std::size_t right_count,
                       std::size_t pairs, const std::int32_t* left_limits,
                       const std::int32_t* right_limits, std::uint32_t* hits) noexcept;

}  // namespace sosie::kernels
