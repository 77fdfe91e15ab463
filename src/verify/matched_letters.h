#pragma once

#include <cstdint>
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

}  // namespace sosie
