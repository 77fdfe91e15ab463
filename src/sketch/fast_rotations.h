#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rotate_to_signs.h"

namespace sosie {

// Functions of one rotation of vectors of this dimension: a power of 2, no fewer than 1024. In a
// narrower one the functions of a band would tell on each other: of 128 they agree in 2.5 % fewer
// bands than the law has it, of 1024 in .4 %.
[[nodiscard]] std::size_t rotation_width(std::size_t dimension) noexcept;

// Sides of random hyperplanes that a vector lies on (family "hyperplane-rotation"): the signs of
// its components after a fast random rotation, which is random signs and a Hadamard transform three
// times over. Function i is component i % width of rotation i / width. Source: Andoni, Indyk,
// Laarhoven, Razenshteyn, Schmidt, NIPS 2015 (pseudo-random rotations); Ailon, Chazelle, STOC 2006.
class FastRotations {
 public:
  // Rotations first to last - 1: each is the same in any list.
  FastRotations(std::size_t dimension, std::uint64_t seed, std::size_t first, std::size_t last);

  // Words of a vector's sides, of all functions behind each other.
  [[nodiscard]] std::size_t words() const noexcept {
    return flips_.size() / kernels::kRotationTurns;
  }

  // Sides of up to kRotatedVectors vectors, whose length must be a finite float's, as bits: those
  // of vector v from sides[v * words()] on. O(words() * log(width)) a vector.
  void sides(std::span<const double* const> vectors, std::vector<std::uint64_t>& sides) const;

 private:
  std::size_t dimension_;
  std::size_t width_;
  std::vector<std::uint64_t> flips_;  // sign flips of all rotations
};

}  // namespace sosie
