#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sosie {

using CodePoints = std::vector<std::uint32_t>;

// Code points of two texts that have an equal partner near their own position, as Jaro's similarity
// counts them; in the order of each text.
struct MatchedLetters {
  CodePoints left;
  CodePoints right;
};

// Short texts are looked through; long ones take O(x + y).
[[nodiscard]] MatchedLetters matched_letters(const CodePoints& left, const CodePoints& right);

inline constexpr std::size_t kShortJaro = 64;

// Jaro similarity of two ASCII strings of 1 to kShortJaro letters: the value of jaro(), with the
// places of each letter as bits of a word. O(x + y).
[[nodiscard]] double short_jaro(std::string_view left, std::string_view right) noexcept;

}  // namespace sosie
