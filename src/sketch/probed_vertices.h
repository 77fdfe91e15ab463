#pragma once

#include <span>

// Multi-probe for the family cross-polytope. A vector is near every vertex on which its projection
// is at most a reach less than on the nearest one. A band of functions looks it up under every
// choice of vertices near it, and two vectors meet in the band when the nearest vertices of one are
// near the other: with probability 2 one^k - both^k in a band of k functions. The reaches are those
// that leave a function so many vertices near a vector on average: so the number of keys of a band
// is that number to the power of k, on average. Against m nearest ones (Lv et al., VLDB 2007),
// vertices that are unlikely for this very vector cost no key.
namespace sosie {

// The numbers of vertices there are laws for, from 1 on; the functions below take these.
[[nodiscard]] std::span<const double> probed_vertices() noexcept;

// Greatest deficit of a projection to a near vertex, for vectors of length 1 and Gaussian
// projections. 0 for 1 vertex.
[[nodiscard]] double vertex_reach(double vertices) noexcept;

// By angle in degrees: the probability that the vertex nearest to one of two vectors is near the
// other, and that this is so the other way round, too.
[[nodiscard]] double near_one_collision(double vertices, double degrees) noexcept;
[[nodiscard]] double near_both_collision(double vertices, double degrees) noexcept;

}  // namespace sosie
