// Nearest and near vertices of cross-polytopes, from Gaussian projections.
#include "sketch/cross_polytopes.h"

#include "sketch/standard_normal.h"

namespace sosie {
namespace {

// Projections of vectors of length 1 are some tenths: to so many bits two of them rarely tie.
constexpr double kResolution = 1.0 / (1 << 30);

double size_of(double x) noexcept { return x < 0 ? -x : x; }

// The axis of the coordinate that is farthest from 0 (the first of equals), counted twice: once
// for each of its ends.
std::size_t nearest_vertex(std::span<const double> coordinates) noexcept {
  std::size_t most = 0;
  for (std::size_t i = 1; i < coordinates.size(); ++i) {
    if (size_of(coordinates[i]) > size_of(coordinates[most])) most = i;
  }
  return 2 * most + (coordinates[most] < 0 ? 1 : 0);
}

}  // namespace

CrossPolytopes::CrossPolytopes(std::size_t count, std::size_t dimension, std::uint64_t seed,
                               std::size_t first)
    : count_(count),
      lines_(standard_normal, count * kPolytopeDimension, dimension,
             {kResolution, seed, first * kPolytopeDimension}) {}

template <typename Each>
void CrossPolytopes::for_each(std::span<const double* const> vectors, const Each& each) const {
  std::vector<double> coordinates;
  lines_.cells(vectors, coordinates);
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    const auto own = std::span(coordinates).subspan(v * lines_.count(), lines_.count());
    for (std::size_t f = 0; f < count_; ++f) {
      each(v * count_ + f, own.subspan(f * kPolytopeDimension, kPolytopeDimension));
    }
  }
}

void CrossPolytopes::vertices(std::span<const double* const> vectors,
                              std::vector<double>& vertices) const {
  vertices.resize(vectors.size() * count_);
  for_each(vectors, [&](std::size_t place, std::span<const double> coordinates) {
    vertices[place] = static_cast<double>(nearest_vertex(coordinates));
  });
}

void CrossPolytopes::near_vertices(std::span<const double* const> vectors, double reach,
                                   NearVertices& vertices) const {
  vertices.nearest.resize(vectors.size() * count_);
  vertices.near.resize(vectors.size() * count_);
  for_each(vectors, [&](std::size_t place, std::span<const double> coordinates) {
    const std::size_t nearest = nearest_vertex(coordinates);
    const double least = size_of(coordinates[nearest / 2]) - reach / kResolution;
    std::uint32_t near = std::uint32_t{1} << nearest;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      if (coordinates[i] >= least) near |= std::uint32_t{1} << (2 * i);
      if (-coordinates[i] >= least) near |= std::uint32_t{1} << (2 * i + 1);
    }
    vertices.nearest[place] = static_cast<std::uint8_t>(nearest);
    vertices.near[place] = near;
  });
}

}  // namespace sosie
