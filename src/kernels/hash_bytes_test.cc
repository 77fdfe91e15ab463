#include "kernels/hash_bytes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sosie {
namespace {

std::uint64_t hash_of(std::string text) {
  const std::size_t size = text.size();
  text.append(8, '\xAA');  // bytes after the text must not matter
  return hash_bytes(text.data(), size);
}

TEST(HashBytes, GoldenValuesOfTheRecipe) {
  EXPECT_EQ(hash_of(""), 0x0000000000000000ULL);
  EXPECT_EQ(hash_of("a"), 0x2119D62F50D63EF2ULL);
  EXPECT_EQ(hash_of("sosie"), 0x58AED533CBA968B7ULL);
  EXPECT_EQ(hash_of("0123456789abcdef"), 0x410AA9F46C42D586ULL);
  EXPECT_EQ(hash_of("0123456789abcdefg"), 0x6D23AC7F84649061ULL);
}

TEST(HashBytes, DependsOnEveryByteAndTheLength) {
  std::set<std::uint64_t> seen;
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string zeros(size, '\0');
    EXPECT_TRUE(seen.insert(hash_of(zeros)).second) << size;
    for (std::size_t i = 0; i < size; ++i) {
      std::string changed = zeros;
      changed[i] = 1;
      EXPECT_TRUE(seen.insert(hash_of(changed)).second) << size << ' ' << i;
    }
  }
}

// Real words are short and similar to each other; with 64 bits, none of these may collide.
TEST(HashBytes, KeepsAMillionShortStringsApart) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1'000'000; ++i) seen.insert(hash_of(std::to_string(i)));
  EXPECT_EQ(seen.size(), 1'000'000U);
}

// 64 bits must be as good as 64 random ones, because real shingles differ in few bits.
TEST(HashBytes, KeepsLikeTextsApart) {
  std::set<std::uint64_t> hashes;
  std::size_t windows = 0;
  for (const std::size_t size : {3U, 8U, 9U, 17U}) {
    std::string window(size + 8, 'a');
    for (unsigned at = 0; at < size; ++at) {
      for (unsigned other = at + 1; other < size; ++other) {
        for (unsigned x = 'b'; x <= 'z'; ++x) {
          for (unsigned y = 'b'; y <= 'z'; ++y, ++windows) {
            window[at] = static_cast<char>(x);
            window[other] = static_cast<char>(y);
            hashes.insert(hash_bytes(window.data(), size));
          }
        }
        window[other] = 'a';
      }
      window[at] = 'a';
    }
  }
  EXPECT_EQ(hashes.size(), windows);
  std::set<std::uint32_t> low;  // 127,500 values in 2^32: 1.9 equal ones expected
  for (const std::uint64_t hash : hashes) low.insert(static_cast<std::uint32_t>(hash));
  EXPECT_GT(low.size() + 12, hashes.size());
}

}  // namespace
}  // namespace sosie
