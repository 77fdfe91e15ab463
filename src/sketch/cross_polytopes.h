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

}  // namespace sosie
