#pragma once

#include <cstddef>

namespace sosie {

// Characters and pairs that a page shows.
inline constexpr std::size_t kNameCharacters = 80;
inline constexpr std::size_t kValueCharacters = 400;
inline constexpr std::size_t kOpenPairs = 3;  // shown without a click

}  // namespace sosie
