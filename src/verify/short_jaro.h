#pragma once

#include <cstddef>
#include <string_view>

namespace sosie {

inline constexpr std::size_t kShortJaro = 64;

// Jaro similarity of two ASCII strings of 1 to kShortJaro letters: the value of jaro(), with the
// places of each letter as bits of a word. O(x + y).
[[nodiscard]] double short_jaro(std::string_view left, std::string_view right) noexcept;

}  // namespace sosie
