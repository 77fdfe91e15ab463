#pragma once

#include <cstddef>
#include <cstdint>

#include "data/columns.h"

namespace sosie {

// Normals of random hyperplanes through 0: `count` vectors with Gaussian components (as floats).
// The value of a function in the family "hyperplane" is the side on which a vector lies; a product
// of 0 counts as the positive side (MMDS 3.7.2). Normals are numbered from `first`; each one
// depends only on its number and the seed.
[[nodiscard]] VectorColumn hyperplane_normals(std::size_t count, std::size_t dimension,
                                              std::uint64_t seed, std::size_t first = 0);

// Normals with components +1 and -1 (family "hyperplane-signs"; MMDS 3.7.3). The law for Gaussian
// normals holds on average over all pairs of directions. For a single pair, it holds in many
// dimensions, unless a few components dominate: (1, 0) and (1, 0.5) are never separated.
[[nodiscard]] VectorColumn sign_normals(std::size_t count, std::size_t dimension,
                                        std::uint64_t seed, std::size_t first = 0);

}  // namespace sosie
