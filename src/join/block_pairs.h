#pragma once

#include <cstddef>

namespace sosie {

// Pairs that a joiner gathers before it hands them over.
inline constexpr std::size_t kBlockPairs = 4096;

}  // namespace sosie
