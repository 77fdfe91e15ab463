#pragma once

#include <cstdint>

#include "data/buckets.h"

namespace sosie {

// How many connected components the items fall into when sharing a bucket links two: what banding
// without verification would call groups. O(members).
[[nodiscard]] std::uint64_t count_components(const Buckets& buckets, Place items);

}  // namespace sosie
