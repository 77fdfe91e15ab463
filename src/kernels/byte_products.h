#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/products_reaching.h"

namespace sosie::kernels {

// A byte panel consists of kPanelVectors vectors of 8-bit components in interleaved groups of four
// (quads): components 4q .. 4q + 3 of vector v are at [(q * kPanelVectors + v) * 4]. Panels begin
// at multiples of 64 bytes, since loads that cross cache lines take twice as long.
inline constexpr std::size_t kPanelAlignment = 64;

// Number of quads for vectors of a dimension, rounded up so that matrix units, which process at
// most kMostQuadsAStep at a time, process the same number in each step.
inline constexpr std::size_t kMostQuadsAStep = 16;
[[nodiscard]] constexpr std::size_t quad_steps(std::size_t quads) noexcept {
  return (quads + kMostQuadsAStep - 1) / kMostQuadsAStep;
}
[[nodiscard]] constexpr std::size_t padded_quads(std::size_t dimension) noexcept {
  const std::size_t quads = (dimension + 3) / 4;
  const std::size_t steps = quad_steps(quads);
  return steps == 0 ? 0 : (quads + steps - 1) / steps * steps;
}

struct ByteProducts {
  // The left panel, step by step: in each step, every vector has a slot of kStepBytes bytes that
  // begins with its quads of that step.
  const std::int8_t* left = nullptr;
  std::size_t left_count = kPanelVectors;  // number of its vectors to compare
  const std::int8_t* right = nullptr;      // consecutive panels
  std::size_t right_count = 0;
  std::size_t quads = 0;  // a result of padded_quads()
  const std::int32_t* left_limits = nullptr;
  const std::int32_t* right_limits = nullptr;
};

inline constexpr std::size_t kStepBytes = 4 * kMostQuadsAStep;

// Computes the same result as products_reaching(). The hits of left vectors at left_count and above
// must be ignored. Vectors must not be longer than kMostByteLength, and the magnitude of limits
// must be at most twice its square; right limits of kNoByteLimit are never reached.
inline constexpr std::int32_t kMostByteLength = 1 << 13;
inline constexpr std::int32_t kNoByteLimit = 1 << 29;
void byte_products_reaching(const ByteProducts& products, std::uint32_t* hits) noexcept;

}  // namespace sosie::kernels
