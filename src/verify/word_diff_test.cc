#include "verify/word_diff.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace sosie {
namespace {

using Words = std::vector<std::uint64_t>;

// The words of both sides, put together again from the runs.
struct Sides {
  Words left;
  Words right;
  std::size_t same = 0;
};

Sides sides_of(const std::vector<DiffRun>& runs, const Words& left, const Words& right) {
  Sides sides;
  for (const DiffRun& run : runs) {
    for (std::uint32_t i = 0; i < run.count; ++i) {
      if (run.kind != DiffKind::added) sides.left.push_back(left[run.left + i]);
      if (run.kind != DiffKind::removed) sides.right.push_back(right[run.right + i]);
      if (run.kind != DiffKind::same) continue;
      EXPECT_EQ(left[run.left + i], right[run.right + i]);
      ++sides.same;
    }
  }
  return sides;
}

std::size_t longest_common_subsequence(const Words& a, const Words& b) {
  std::vector<std::vector<std::size_t>> length(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1
                                          : std::max(length[i - 1][j], length[i][j - 1]);
    }
  }
  return length[a.size()][b.size()];
}

Words numbers(std::size_t count, std::uint64_t first) {
  Words words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

TEST(WordDiff, SaysWhatWasReplacedAndWhere) {
  const Words left = {1, 2, 3, 4};
  const Words right = {1, 9, 3, 4, 5};
  const std::vector<DiffRun> expected = {{DiffKind::same, 0, 0, 1},
                                         {DiffKind::removed, 1, 1, 1},
                                         {DiffKind::added, 2, 1, 1},
                                         {DiffKind::same, 2, 2, 2},
                                         {DiffKind::added, 4, 4, 1}};
  EXPECT_EQ(word_diff(left, right), expected);
}

TEST(WordDiff, OfEqualTextsIsOneRunAndOfNoTextsNone) {
  const Words words = {1, 2, 3};
  EXPECT_EQ(word_diff(words, words), (std::vector<DiffRun>{{DiffKind::same, 0, 0, 3}}));
  EXPECT_TRUE(word_diff({}, {}).empty());
  EXPECT_EQ(word_diff({}, words), (std::vector<DiffRun>{{DiffKind::added, 0, 0, 3}}));
  EXPECT_EQ(word_diff(words, {}), (std::vector<DiffRun>{{DiffKind::removed, 0, 0, 3}}));
}

RC_GTEST_PROP(WordDiff, KeepsTheLongestCommonSubsequence, ()) {
  const auto word = rc::gen::inRange<std::uint64_t>(0, *rc::gen::inRange<std::uint64_t>(2, 12));
  const auto left = *rc::gen::container<Words>(word);
  const auto right = *rc::gen::container<Words>(word);
  const Sides sides = sides_of(word_diff(left, right), left, right);
  RC_ASSERT(sides.left == left);
  RC_ASSERT(sides.right == right);
  RC_ASSERT(sides.same == longest_common_subsequence(left, right));
}

RC_GTEST_PROP(WordDiff, StaysADiffWhateverItMaySpend, ()) {
  const auto word = rc::gen::inRange<std::uint64_t>(0, *rc::gen::inRange<std::uint64_t>(2, 40));
  const auto left = *rc::gen::container<Words>(word);
  const auto right = *rc::gen::container<Words>(word);
  const Sides sides = sides_of(word_diff(left, right, *rc::gen::inRange(0U, 4U)), left, right);
  RC_ASSERT(sides.left == left);
  RC_ASSERT(sides.right == right);
}

TEST(WordDiff, FindsTheCommonPartsOfHugeUnlikeTexts) {
  Words left = numbers(50'000, 0);
  Words right = numbers(50'000, 1'000'000);
  const Words common = numbers(20'000, 2'000'000);
  left.insert(left.begin() + 10'000, common.begin(), common.end());
  right.insert(right.begin() + 30'000, common.begin(), common.end());
  const Sides sides = sides_of(word_diff(left, right), left, right);
  EXPECT_EQ(sides.left, left);
  EXPECT_EQ(sides.right, right);
  EXPECT_EQ(sides.same, common.size());
}

}  // namespace
}  // namespace sosie
