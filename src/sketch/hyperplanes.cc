#include "sketch/hyperplanes.h"

#include <vector>

#include "sketch/random_reals.h"

namespace sosie {

VectorColumn hyperplane_normals(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  std::vector<float> components(count * dimension);
  for (std::size_t i = 0; i < components.size(); ++i) {
    components[i] = static_cast<float>(standard_normal(seed, i));
  }
  return {count, dimension, std::move(components)};
}

}  // namespace sosie
