// Jaro similarity of short ASCII strings: which letters match is found by operations on words.
#include "verify/short_jaro.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace sosie {
namespace {

constexpr std::size_t kAsciiLetters = 128;

// Places of matched letters in each string.
struct MatchedPlaces {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
};

std::uint8_t letter(std::string_view text, std::size_t at) noexcept {
  return static_cast<std::uint8_t>(text[at]);
}

// `places`: of each letter in the right string.
MatchedPlaces matched_places(std::string_view left, std::string_view right,
                             const std::array<std::uint64_t, kAsciiLetters>& places) noexcept {
  const std::size_t longer = std::max(left.size(), right.size());
  const std::size_t reach = longer / 2 > 0 ? longer / 2 - 1 : 0;
  MatchedPlaces matched;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t first = i > reach ? i - reach : 0;
    const std::size_t last = std::min(i + reach, kShortJaro - 1);
    const std::uint64_t near = (std::uint64_t{2} << last) - (std::uint64_t{1} << first);
    const std::uint64_t found = places[letter(left, i)] & near & ~matched.right;
    matched.right |= found & (~found + 1);
    matched.left |= std::uint64_t{found != 0} << i;
  }
  return matched;
}

// Matched letters that stand in another order than their partners.
int moved_letters(std::string_view left, std::string_view right, MatchedPlaces matched) noexcept {
  int moved = 0;
  for (; matched.left != 0; matched.left &= matched.left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(matched.left));
    const auto j = static_cast<std::size_t>(std::countr_zero(matched.right));
    moved += left[i] != right[j] ? 1 : 0;
    matched.right &= matched.right - 1;
  }
  return moved;
}

}  // namespace

double short_jaro(std::string_view left, std::string_view right) noexcept {
  // Empty between calls.
  thread_local std::array<std::uint64_t, kAsciiLetters> places{};
  for (std::size_t j = 0; j < right.size(); ++j) {
    places[letter(right, j)] |= std::uint64_t{1} << j;
  }
  const MatchedPlaces matched = matched_places(left, right, places);
  for (std::size_t j = 0; j < right.size(); ++j) places[letter(right, j)] = 0;
  if (matched.left == 0) return 0;
  const auto count = static_cast<double>(std::popcount(matched.left));
  const int swaps = moved_letters(left, right, matched) / 2;
  const auto swapped = static_cast<double>(swaps);
  return (count / static_cast<double>(left.size()) + count / static_cast<double>(right.size()) +
          (count - swapped) / count) /
         3;
}

}  // namespace sosie
