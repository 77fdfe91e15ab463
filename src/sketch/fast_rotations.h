#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rotate_to_signs.h"

namespace sosie {

// Number of functions in one rotation of vectors of this dimension: a power of 2, at least 1024. In
// narrower rotations, the functions of a band would depend on each other: with 128 functions, they
// agree in 2.5 % fewer bands than the law predicts; with 1024, in 0.4 % fewer.
[[nodiscard]] std::size_t rotation_width(std::size_t dimension) noexcept;

// The sides of random hyperplanes on which a vector lies (family "hyperplane-rotation"): the signs
// of its components after a fast random rotation, which applies random signs and a Hadamard
// transform three times. Function i is component i % width of rotation i / width. Source: Andoni,
// Indyk, Laarhoven, Razenshteyn, Schmidt, NIPS 2015 (pseudo-random rotations); Ailon, Chazelle,
// STOC 2006.
class FastRotations {
 public:
  // Rotations `first` to `last` - 1; a rotation depends only on its number and the seed.
  FastRotations(std::size_t dimension, std::uint64_t seed, std::size_t first, std::size_t last);

  // Number of words for the sides of a vector under all functions.
  [[nodiscard]] std::size_t words() const noexcept {
    return flips_.size() / kernels::kRotationTurns;
  }

  // The sides on which up to kRotatedVectors vectors lie, as bits; the sides of vector v start at
  // sides[v * words()]. The lengths of vectors must be finite floats. O(words() * log(width)) per
  // vector.
  void sides(std::span<const double* const> vectors, std::vector<std::uint64_t>& sides) const;

 private:
  std::size_t dimension_;
  std::size_t width_;
  std::vector<std::uint64_t> flips_;  // sign flips of all rotations
};

}  // namespace sosie
