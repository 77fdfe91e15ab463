// Normals of the families "hyperplane" and "hyperplane-signs".
#include "sketch/hyperplanes.h"

#include <vector>

#include "core/mix64.h"
#include "sketch/standard_normal.h"

namespace sosie {

VectorColumn hyperplane_normals(std::size_t count, std::size_t dimension, std::uint64_t seed,
                                std::size_t first) {
  const std::uint64_t begin = first * dimension;
  std::vector<float> components(count * dimension);
  for (std::size_t i = 0; i < components.size(); ++i) {
    components[i] = static_cast<float>(standard_normal(seed, begin + i));
  }
  return {count, dimension, std::move(components)};
}

VectorColumn sign_normals(std::size_t count, std::size_t dimension, std::uint64_t seed,
                          std::size_t first) {
  const std::uint64_t begin = first * dimension;
  std::vector<std::int8_t> components(count * dimension);
  for (std::size_t i = 0; i < components.size(); ++i) {
    components[i] = (random64(seed, begin + i) >> 63) == 0 ? 1 : -1;
  }
  return {count, dimension, std::move(components)};
}

}  // namespace sosie
