// Tests finding the passages that two texts share.
#include "verify/common_passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

namespace sosie {
namespace {

std::vector<std::uint64_t> letters(std::string_view text) { return {text.begin(), text.end()}; }

std::vector<CommonPassage> passages(std::string_view left, std::string_view right,
                                    std::uint32_t least) {
  return common_passages(letters(left), letters(right), least);
}

TEST(CommonPassages, AreFoundInAnyOrder) {
  EXPECT_EQ(passages("abcdXefgh", "efghYabcd", 3),
            (std::vector<CommonPassage>{{0, 5, 4}, {5, 0, 4}}));
  EXPECT_EQ(passages("abc", "abc", 1), (std::vector<CommonPassage>{{0, 0, 3}}));
}

TEST(CommonPassages, MayBeCopiedFromOnePlaceTwice) {
  EXPECT_EQ(passages("abcd-abcd", "abcd", 4), (std::vector<CommonPassage>{{0, 0, 4}, {5, 0, 4}}));
}

TEST(CommonPassages, TheLongestWinsOverOneThatBeginsBefore) {
  EXPECT_EQ(passages("abcdef", "abc_bcdef", 2), (std::vector<CommonPassage>{{1, 4, 5}}));
  EXPECT_EQ(passages("abcdefgh", "abcd_cdefgh", 2),
            (std::vector<CommonPassage>{{0, 0, 2}, {2, 5, 6}}));
}

TEST(CommonPassages, ShorterThanTheLeastAreNone) {
  EXPECT_EQ(passages("abXcd", "abYcd", 3), std::vector<CommonPassage>{});
  EXPECT_EQ(passages("", "abc", 1), std::vector<CommonPassage>{});
  EXPECT_EQ(passages("abc", "", 1), std::vector<CommonPassage>{});
}

TEST(CommonPassages, ManyEqualWordsTakeNoQuadraticTime) {
  const std::vector<std::uint64_t> words(100'000, 7);
  EXPECT_EQ(common_passages(words, words, 5), (std::vector<CommonPassage>{{0, 0, 100'000}}));
}

// Finds the longest common passage among the words that are still free, by trying all passages.
CommonPassage longest_free(const std::vector<std::uint64_t>& left,
                           const std::vector<std::uint64_t>& right, const std::vector<bool>& used) {
  CommonPassage best;
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    for (std::uint32_t j = 0; j < right.size(); ++j) {
      std::uint32_t n = 0;
      while (i + n < left.size() && j + n < right.size() && !used[i + n] &&
             left[i + n] == right[j + n]) {
        ++n;
      }
      if (n > best.count) best = {i, j, n};
    }
  }
  return best;
}

TEST(CommonPassages, AreThoseOfGreedyTiling) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint64_t> texts[2];
    for (auto& text : texts) {
      text.resize(random() % 40);
      for (auto& word : text) word = random() % 3;
    }
    const std::uint32_t least = 1 + random() % 4;
    std::vector<bool> used(texts[0].size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (CommonPassage one = longest_free(texts[0], texts[1], used); one.count >= least;
         one = longest_free(texts[0], texts[1], used)) {
      std::fill_n(used.begin() + one.left, one.count, true);
      expected.emplace_back(one.left, one.count);
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const CommonPassage& one : common_passages(texts[0], texts[1], least)) {
      found.emplace_back(one.left, one.count);
      for (std::uint32_t i = 0; i < one.count; ++i) {
        ASSERT_EQ(texts[0][one.left + i], texts[1][one.right + i]);
      }
    }
    ASSERT_EQ(found, expected) << "round " << round;
  }
}

}  // namespace
}  // namespace sosie
