#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// Words of a real text for generating corpora. Stretches of them are shuffled, so that shingles are
// rare although words are not. The same seed gives the same words.

namespace sosie::bench {

// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t end) { return next() % end; }

 private:
  std::uint64_t state_;
};

inline std::string read_text(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// All runs of two letters or more.
inline std::vector<std::string_view> words_of(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end - begin >= 2) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// Puts `count` words from some place in the text, shuffled, into `chosen`.
inline void choose_words(const std::vector<std::string_view>& words, std::uint64_t count,
                         Random& random, std::vector<std::string_view>& chosen) {
  const std::uint64_t begin = random.below(words.size() - count);
  chosen.assign(words.begin() + static_cast<std::ptrdiff_t>(begin),
                words.begin() + static_cast<std::ptrdiff_t>(begin + count));
  for (std::uint64_t i = count - 1; i > 0; --i) std::swap(chosen[i], chosen[random.below(i + 1)]);
}

}  // namespace sosie::bench
