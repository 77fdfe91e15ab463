// Sides of hyperplanes from fast rotations (family "hyperplane-rotation").
#include "sketch/fast_rotations.h"

#include <algorithm>
#include <bit>

#include "core/mix64.h"

namespace sosie {

using kernels::kRotatedVectors;
using kernels::kRotationTurns;
using kernels::rotate_to_signs;

namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kLeastWidth = 1024;

}  // namespace

std::size_t rotation_width(std::size_t dimension) noexcept {
  return std::max(kLeastWidth, std::bit_ceil(dimension));
}

FastRotations::FastRotations(std::size_t dimension, std::uint64_t seed, std::size_t first,
                             std::size_t last)
    : dimension_(dimension), width_(rotation_width(dimension)) {
  const std::size_t words = kRotationTurns * width_ / kWordBits;
  flips_.resize((last - first) * words);
  for (std::size_t i = 0; i < flips_.size(); ++i) flips_[i] = random64(seed, first * words + i);
}

void FastRotations::sides(std::span<const double* const> vectors,
                          std::vector<std::uint64_t>& sides) const {
  const std::size_t words = width_ / kWordBits;
  const std::size_t rotations = this->words() / words;
  sides.resize(kRotatedVectors * this->words());
  std::vector<float> vectors_as_read(dimension_ * kRotatedVectors);
  for (std::size_t k = 0; k < dimension_; ++k) {
    float* out = &vectors_as_read[k * kRotatedVectors];
    for (std::size_t v = 0; v < vectors.size(); ++v) out[v] = static_cast<float>(vectors[v][k]);
  }
  std::vector<float> values;
  std::vector<std::uint64_t> signs(kRotatedVectors * words);
  for (std::size_t rotation = 0; rotation < rotations; ++rotation) {
    values = vectors_as_read;
    values.resize(width_ * kRotatedVectors);
    rotate_to_signs(values.data(), width_, &flips_[rotation * kRotationTurns * words],
                    signs.data());
    for (std::size_t v = 0; v < vectors.size(); ++v) {
      std::copy_n(&signs[v * words], words, &sides[v * this->words() + rotation * words]);
    }
  }
}

}  // namespace sosie
