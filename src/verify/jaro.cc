// Jaro similarity: finds the matching characters. Short ASCII strings are processed with operations
// on words.
#include "verify/jaro.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <utility>

namespace sosie {
namespace {

// Positions of each code point of a string, in order.
class Places {
 public:
  explicit Places(const CodePoints& text) : next_(text.size()) {
    for (std::size_t at = text.size(); at-- > 0;) {
      const auto [entry, is_new] = first_.try_emplace(text[at], text.size());
      next_[at] = entry->second;
      entry->second = at;
    }
  }
  // Takes the first free position at or after `from`; returns `end` if there is none before `end`.
  // `from` never decreases between calls, so earlier positions are dropped.
  std::size_t take(std::uint32_t code_point, std::size_t from, std::size_t end) {
    const auto found = first_.find(code_point);
    if (found == first_.end()) return end;
    std::size_t& at = found->second;
    while (at < from && at < end) at = next_[at];
    if (at >= end) return end;
    return std::exchange(at, next_[at]);
  }

 private:
  std::unordered_map<std::uint32_t, std::size_t> first_;
  std::vector<std::size_t> next_;  // the size of the text after the last place
};

// Calls take(code point, from, end) for each position of the left string. take() returns the first
// free position of the right string within reach, which is then no longer free, or `end`.
template <typename Take>
MatchedLetters match_by(const CodePoints& left, const CodePoints& right, const Take& take) {
  const std::size_t longer = std::max(left.size(), right.size());
  const std::size_t reach = longer / 2 > 0 ? longer / 2 - 1 : 0;
  MatchedLetters matches;
  std::vector<bool> is_taken(right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t end = std::min(right.size(), i + reach + 1);
    const std::size_t begin = std::min(end, i > reach ? i - reach : 0);
    const std::size_t j = take(is_taken, left[i], begin, end);
    if (j == end) continue;
    is_taken[j] = true;
    matches.left.push_back(left[i]);
  }
  for (std::size_t j = 0; j < right.size(); ++j) {
    if (is_taken[j]) matches.right.push_back(right[j]);
  }
  return matches;
}

constexpr std::size_t kAsciiLetters = 128;

// Positions of matched characters in each string.
struct MatchedPlaces {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
};

std::uint8_t letter(std::string_view text, std::size_t at) noexcept {
  return static_cast<std::uint8_t>(text[at]);
}

// `places`: positions of each character in the right string.
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

// Number of matched characters that are in a different order than their partners.
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

// Short names are searched directly. For longer texts, the positions of each code point are stored,
// so that the search is linear.
MatchedLetters matched_letters(const CodePoints& left, const CodePoints& right) {
  constexpr std::size_t kMostLookedThrough = 256;
  if (std::max(left.size(), right.size()) > kMostLookedThrough) {
    Places places(right);
    return match_by(
        left, right,
        [&](const std::vector<bool>& /*is_taken*/, std::uint32_t code_point, std::size_t begin,
            std::size_t end) { return places.take(code_point, begin, end); });
  }
  return match_by(left, right,
                  [&](const std::vector<bool>& is_taken, std::uint32_t code_point,
                      std::size_t begin, std::size_t end) {
                    while (begin < end && (is_taken[begin] || code_point != right[begin])) ++begin;
                    return begin;
                  });
}

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
