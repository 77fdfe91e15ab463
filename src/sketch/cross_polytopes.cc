#include "sketch/cross_polytopes.h"

#include "sketch/collision_laws.h"

namespace sosie {
namespace {

// Projections of vectors of length 1 are some tenths: to so many bits two of them rarely tie.
constexpr double kResolution = 1.0 / (1 << 30);

// The axis of the coordinate that is farthest from 0 (the first of equals), counted twice: once
// for each of its ends.
double nearest_vertex(std::span<const double> coordinates) noexcept {
  const auto size = [](double x) { return x < 0 ? -x : x; };
  std::size_t most = 0;
  for (std::size_t i = 1; i < coordinates.size(); ++i) {
    if (size(coordinates[i]) > size(coordinates[most])) most = i;
  }
  return static_cast<double>(2 * most + (coordinates[most] < 0 ? 1 : 0));
}

}  // namespace

CrossPolytopes::CrossPolytopes(std::size_t count, std::size_t dimension, std::uint64_t seed,
                               std::size_t first)
    : count_(count),
      lines_(SegmentLines::Form::gaussian, count * kPolytopeDimension, dimension,
             {kResolution, seed, first * kPolytopeDimension}) {}

void CrossPolytopes::vertices(std::span<const double* const> vectors,
                              std::vector<double>& vertices) const {
  std::vector<double> coordinates;
  lines_.cells(vectors, coordinates);
  vertices.resize(vectors.size() * count_);
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    const auto own = std::span(coordinates).subspan(v * lines_.count(), lines_.count());
    for (std::size_t f = 0; f < count_; ++f) {
      vertices[v * count_ + f] =
          nearest_vertex(own.subspan(f * kPolytopeDimension, kPolytopeDimension));
    }
  }
}

}  // namespace sosie
