#pragma once

#include <cstddef>

// For each locality-sensitive family, the probability that one of its functions puts two items at a
// given distance into the same bucket. It never increases with the distance. None of these
// functions uses libm.
namespace sosie {

// Minhash, by Jaccard distance: (d1, d2, 1 - d1, 1 - d2)-sensitive (MMDS 3.6.2).
[[nodiscard]] double minhash_collision_law(double distance) noexcept;

// One of n positions, by Hamming distance as a share of n (MMDS 3.7.1).
[[nodiscard]] double bit_sampling_collision_law(double distance) noexcept;

// The side of a random hyperplane, by angle in degrees: 1 - angle/180 (MMDS 3.7.2).
[[nodiscard]] double hyperplane_collision_law(double degrees) noexcept;

// The nearest vertex of a randomly rotated cross-polytope in kPolytopeDimension dimensions, by
// angle in degrees. Andoni, Indyk, Laarhoven, Razenshteyn, Schmidt, NIPS 2015; the table is for
// Gaussian projections to that dimension.
inline constexpr std::size_t kPolytopeDimension = 16;
[[nodiscard]] double cross_polytope_collision_law(double degrees) noexcept;

// A random line divided into segments, with a random offset, by distance in segment lengths. The
// line's components are Gaussian (L2) or Cauchy (L1). Datar et al. 2004, equations in section 3.2.
[[nodiscard]] double gaussian_segment_collision_law(double distance) noexcept;
[[nodiscard]] double cauchy_segment_collision_law(double distance) noexcept;

}  // namespace sosie
