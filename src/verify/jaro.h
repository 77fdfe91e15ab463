#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sosie {

using CodePoints = std::vector<std::uint32_t>;

// The code points of two texts that have an equal partner near their own position, as counted for
// Jaro's similarity, in the order of each text.
struct MatchedLetters {
  CodePoints left;
  CodePoints right;
};

// Short texts are scanned; long texts take O(x + y).
[[nodiscard]] MatchedLetters matched_letters(const CodePoints& left, const CodePoints& right);

inline constexpr std::size_t kShortJaro = 64;

// Jaro similarity of two ASCII strings of 1 to kShortJaro characters. Equals jaro(), but stores the
// positions of each character as bits of a word. O(x + y).
[[nodiscard]] double short_jaro(std::string_view left, std::string_view right) noexcept;

}  // namespace sosie
