#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sketch/segments.h"

namespace sosie {

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

 private:
  std::size_t count_;
  SegmentLines lines_;  // cut so finely that the number of a segment is the projection
};

}  // namespace sosie
