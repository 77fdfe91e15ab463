#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Number of vectors that are rotated at a time.
inline constexpr std::size_t kRotatedVectors = 16;
inline constexpr std::size_t kRotationTurns = 3;
inline constexpr std::size_t kLeastRotationWidth = 256;

// Applies kRotationTurns turns to kRotatedVectors vectors of `width` components (a power of 2, at
// least kLeastRotationWidth). Each turn negates the components whose bits in its flips are set (bit
// k of turn t is bit t * width + k) and then applies the fast Hadamard transform, without scaling.
// Component k of vector v is at values[k * kRotatedVectors + v] and is overwritten. The results are
// signs: bit k of the width / 64 words that start at signs[v * width / 64] is set if component k is
// not negative. Sums are computed in a fixed order, adjacent components first, so they have
// identical bits on every CPU.
void rotate_to_signs(float* values, std::size_t width, const std::uint64_t* flips,
                     std::uint64_t* signs) noexcept;

}  // namespace sosie::kernels
