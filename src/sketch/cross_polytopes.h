#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sketch/collision_laws.h"
#include "sketch/segments.h"

namespace sosie {

// Vertices by function: the one that a vector is nearest to, and those near it (bit i: vertex i).
struct NearVertices {
  std::vector<std::uint8_t> nearest;
  std::vector<std::uint32_t> near;
};

// Random projections to kPolytopeDimension dimensions: a vector's vertex is the one of the
// cross-polytope there (a unit vector along an axis, or its negative) that it is nearest to. Family
// "cross-polytope", by angle. Source: Andoni, Indyk, Laarhoven, Razenshteyn, Schmidt, NIPS 2015,
// with a Gaussian matrix for the rotation, as its law has it.
class CrossPolytopes {
 public:
  // Functions `first` and the next: each is the same in any list.
  CrossPolytopes(std::size_t count, std::size_t dimension, std::uint64_t seed,
                 std::size_t first = 0);

  // Vertices of up to kCellVectors vectors of length 1, as whole doubles: that of vector v by
  // function f at vertices[v * count + f]. The same on every CPU. O(count * dimension).
  void vertices(std::span<const double* const> vectors, std::vector<double>& vertices) const;

  // Finds these vertices, and all on which a projection is at most `reach` less; in places as
  // above.
  void near_vertices(std::span<const double* const> vectors, double reach,
                     NearVertices& vertices) const;

 private:
  static_assert(2 * kPolytopeDimension <= 32);

  // Calls each(place in the results, coordinates) for every vector and function.
  template <typename Each>
  void for_each(std::span<const double* const> vectors, const Each& each) const;

  std::size_t count_;
  SegmentLines lines_;  // cut so finely that the number of a segment is the projection
};

// Multi-probe for the family cross-polytope. A vector is near every vertex on which its projection
// is at most a reach less than on the nearest one. A band of functions looks it up under every
// choice of vertices near it, and two vectors meet in the band when the nearest vertices of one are
// near the other: with probability 2 one^k - both^k in a band of k functions. The reaches are those
// that leave a function so many vertices near a vector on average: so the number of keys of a band
// is that number to the power of k, on average. Against m nearest ones (Lv et al., VLDB 2007),
// vertices that are unlikely for this very vector cost no key.

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
