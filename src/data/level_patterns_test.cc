// Tests that rows of levels are counted in the same way in any order and by any worker.
#include "data/level_patterns.h"

#include <gtest/gtest.h>

#include <array>

#include "core/mix64.h"

namespace sosie {
namespace {

// 40 fields do not fit in a machine word.
constexpr std::size_t kFields = 40;

std::array<std::uint8_t, kFields> some_levels(std::uint64_t seed) {
  std::array<std::uint8_t, kFields> levels{};
  for (std::size_t f = 0; f < kFields; ++f) {
    levels[f] = static_cast<std::uint8_t>(mix64(seed % 100 * kFields + f) % 21);
  }
  return levels;
}

TEST(LevelPatterns, EqualRowsShareANumberAndAreCounted) {
  LevelPatterns patterns(kFields);
  for (std::uint64_t i = 0; i < 5000; ++i) patterns.add(some_levels(i), 2);
  ASSERT_EQ(patterns.size(), 100U);
  for (std::uint32_t i = 0; i < 100; ++i) {
    const auto levels = some_levels(i);
    const auto number = patterns.find(levels);
    ASSERT_EQ(number, i);
    EXPECT_EQ(patterns.count(*number), 100U);
    EXPECT_TRUE(std::equal(levels.begin(), levels.end(), patterns[*number].begin()));
  }
  std::array<std::uint8_t, kFields> other{};
  other.back() = 77;
  EXPECT_EQ(patterns.find(other), std::nullopt);
  EXPECT_EQ(LevelPatterns(kFields).find(other), std::nullopt);
}

TEST(LevelPatterns, MergedPatternsDoNotDependOnWhoCounted) {
  std::vector<LevelPatterns> one(1, LevelPatterns(kFields));
  std::vector<LevelPatterns> three(3, LevelPatterns(kFields));
  for (std::uint64_t i = 0; i < 3000; ++i) {
    one[0].add(some_levels(i));
    three[mix64(i) % 3].add(some_levels(i));
  }
  const MergedPatterns a = merged(one, kFields);
  const MergedPatterns b = merged(three, kFields);
  ASSERT_EQ(a.patterns.size(), b.patterns.size());
  for (std::uint32_t i = 0; i < a.patterns.size(); ++i) {
    EXPECT_EQ(a.patterns.count(i), b.patterns.count(i));
    EXPECT_TRUE(std::equal(a.patterns[i].begin(), a.patterns[i].end(), b.patterns[i].begin()));
    if (i > 0) {
      EXPECT_TRUE(std::lexicographical_compare(a.patterns[i - 1].begin(), a.patterns[i - 1].end(),
                                               a.patterns[i].begin(), a.patterns[i].end()));
    }
  }
  for (std::size_t worker = 0; worker < three.size(); ++worker) {
    for (std::uint32_t i = 0; i < three[worker].size(); ++i) {
      EXPECT_EQ(b.patterns.find(three[worker][i]), b.numbers[worker][i]);
    }
  }
}

}  // namespace
}  // namespace sosie
