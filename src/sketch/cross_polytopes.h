#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sketch/collision_laws.h"
#include "sketch/segments.h"

namespace sosie {

// For each function, the vertex nearest to a vector, and the vertices near it (bit i: vertex i).
struct NearVertices {
  std::vector<std::uint8_t> nearest;
  std::vector<std::uint32_t> near;
};

// Random projections to kPolytopeDimension dimensions. The vertex of a vector is the vertex of the
// cross-polytope there (a unit vector along an axis, or its negative) that is nearest to its
// projection. Family "cross-polytope", by angle. Source: Andoni, Indyk, Laarhoven, Razenshteyn,
// Schmidt, NIPS 2015, with a Gaussian matrix as the rotation, as in its collision law.
class CrossPolytopes {
 public:
  // `count` functions, starting with number `first`; a function depends only on its number and the
  // seed.
  CrossPolytopes(std::size_t count, std::size_t dimension, std::uint64_t seed,
                 std::size_t first = 0);

  // The vertices of up to kCellVectors vectors of length 1, as integral doubles: the vertex of
  // vector v under function f is at vertices[v * count + f]. They are identical on every CPU.
  // O(count * dimension).
  void vertices(std::span<const double* const> vectors, std::vector<double>& vertices) const;

  // Finds these vertices, and all vertices whose projections are at most `reach` smaller; positions
  // are as above.
  void near_vertices(std::span<const double* const> vectors, double reach,
                     NearVertices& vertices) const;

 private:
  static_assert(2 * kPolytopeDimension <= 32);

  // Calls each(position in the results, coordinates) for every vector and function.
  template <typename Each>
  void for_each(std::span<const double* const> vectors, const Each& each) const;

  std::size_t count_;
  SegmentLines lines_;  // with segments so small that their numbers are the projections
};

// Multi-probe for the family cross-polytope. A vector is near every vertex on which its projection
// is at most a certain reach smaller than on the nearest vertex. A band of functions looks the
// vector up under every combination of vertices near it. Two vectors meet in the band if the
// nearest vertices of one are near the other: with probability 2 one^k - both^k in a band of k
// functions. The reach is chosen so that, on average, a function has a given number of vertices
// near a vector; the average number of keys in a band is this number to the power of k. Unlike with
// the m nearest vertices (Lv et al., VLDB 2007), vertices that are unlikely for a particular vector
// cost no key.

// The average numbers of vertices for which there are laws, starting with 1; the functions below
// accept these numbers.
[[nodiscard]] std::span<const double> probed_vertices() noexcept;

// The maximum amount by which the projection on a near vertex may be smaller, for vectors of length
// 1 and Gaussian projections; 0 for 1 vertex.
[[nodiscard]] double vertex_reach(double vertices) noexcept;

// By angle in degrees: the probability that the vertex nearest to the first vector is near the
// second vector, and the probability that the converse is also true.
[[nodiscard]] double near_one_collision(double vertices, double degrees) noexcept;
[[nodiscard]] double near_both_collision(double vertices, double degrees) noexcept;

}  // namespace sosie
