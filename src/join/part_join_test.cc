// Tests of joins whose candidates are known in advance.
#include "join/part_join.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace sosie {
namespace {

using Found = std::vector<std::tuple<RowId, RowId, double>>;

struct Answer {
  Found found;
  std::uint64_t measured;
};

Answer ask(PartJoin& join, const std::vector<RowId>& rows, std::size_t split) {
  Answer answer;
  answer.measured = join.find(rows, split, [&](std::span<const ScoredPair> pairs) {
    for (const ScoredPair& pair : pairs) {
      answer.found.emplace_back(pair.left, pair.right, pair.value);
    }
  });
  return answer;
}

TEST(PartJoin, FindsThePairsAmongSomeRowsByTheirPositions) {
  PartJoin join({{0, 3, .5}, {1, 2, .25}, {3, 4, .75}}, {{0, 4, 0}, {2, 3, 0}}, 5);
  const Answer all = ask(join, {0, 1, 2, 3, 4}, 0);
  EXPECT_EQ(all.found, (Found{{0, 3, .5}, {1, 2, .25}, {3, 4, .75}}));
  EXPECT_EQ(all.measured, 5U);
  const Answer some = ask(join, {4, 3, 0}, 0);
  EXPECT_EQ(some.found, (Found{{0, 1, .75}, {1, 2, .5}}));
  EXPECT_EQ(some.measured, 3U);
}

TEST(PartJoin, FindsPairsBetweenTwoSides) {
  PartJoin join({{0, 3, .5}, {1, 2, .25}, {3, 4, .75}}, {{0, 4, 0}, {2, 3, 0}}, 5);
  const Answer between = ask(join, {0, 1, 2, 3}, 2);
  EXPECT_EQ(between.found, (Found{{0, 3, .5}, {1, 2, .25}}));
  EXPECT_EQ(between.measured, 2U);
}

TEST(PartJoin, SortsPairsAndKeepsEachOnce) {
  std::vector<SavedPair> pairs = {{1, 2, .5}, {0, 4, .25}, {1, 2, .5}};
  sort_pairs(pairs);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].right, 4U);
  EXPECT_EQ(pairs[1].left, 1U);
}

}  // namespace
}  // namespace sosie
