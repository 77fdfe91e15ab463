#pragma once

#include <cstddef>
#include <cstdint>

#include "data/columns.h"

namespace sosie {

// Normals of random hyperplanes through 0: `count` vectors of Gaussian components (as floats). The
// sides that two vectors lie on are their functions of the family "hyperplane"; a product of 0
// counts as the positive side (MMDS 3.7.2). Normal `first` and the next: the same in any list.
[[nodiscard]] VectorColumn hyperplane_normals(std::size_t count, std::size_t dimension,
                                              std::uint64_t seed, std::size_t first = 0);

// Normals of components +1 and -1 (family "hyperplane-signs"; MMDS 3.7.3). Over all pairs of
// directions the law of Gaussian normals holds; for one pair it holds in many dimensions, unless a
// few components dominate: (1, 0) and (1, .5) are never told apart.
[[nodiscard]] VectorColumn sign_normals(std::size_t count, std::size_t dimension,
                                        std::uint64_t seed, std::size_t first = 0);

}  // namespace sosie
