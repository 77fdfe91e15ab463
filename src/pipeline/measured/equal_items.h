#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "data/buckets.h"

namespace sosie {

// For each of `count` items the first one with the same bytes; kNoPlace for itself.
[[nodiscard]] std::vector<Place> leaders_by_bytes(
    std::size_t count, const std::function<std::string_view(std::size_t)>& bytes_of);

}  // namespace sosie
