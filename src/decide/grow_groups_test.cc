// Tests of groups that new records join: who joins which, and which groups are listed.
#include "decide/grow_groups.h"

#include <gtest/gtest.h>

#include <map>

namespace sosie {
namespace {

// Records 0 .. fresh - 1 are new; groups are numbered as they are written.
class GrowGroups : public testing::Test {
 protected:
  GroupGrowth grow(std::uint32_t fresh, const std::vector<std::uint32_t>& group_of,
                   const std::map<std::pair<std::uint32_t, std::uint32_t>, double>& pairs) {
    std::vector<ScoredLink> links;
    for (const auto& [pair, probability] : pairs) {
      links.push_back({pair.first, pair.second, 0, probability});
    }
    GrowthTask task{fresh, group_of, {}};
    task.linkage.records = fresh + static_cast<std::uint32_t>(group_of.size());
    task.linkage.links = links;
    task.linkage.never_class = never_class_;
    task.linkage.never = never_;
    task.joins_groups = joins_groups_;
    task.linkage.probability = [&](unsigned, std::uint32_t left, std::uint32_t right) {
      const auto found = pairs.find({left, right});
      return found == pairs.end() ? 0.0 : found->second;
    };
    return grow_groups(task, pool_);
  }

  ThreadPool pool_ = ThreadPool(1, nullptr);
  bool joins_groups_ = false;
  std::vector<std::uint32_t> never_class_;
  std::function<bool(std::uint32_t, std::uint32_t)> never_;
};

TEST_F(GrowGroups, ARecordJoinsAGroupByItsAverage) {
  const GroupGrowth growth = grow(2, {0, 0, 1}, {{{0, 2}, 0.9}, {{0, 3}, 0.5}, {{1, 2}, 0.9}});
  EXPECT_EQ(growth.group, (std::vector<std::uint32_t>{0, kNoGroup}));
  EXPECT_EQ(growth.first[1], 1U);
  EXPECT_EQ(growth.weakest[1], -1);
  EXPECT_TRUE(growth.would_join.empty());
}

TEST_F(GrowGroups, NewRecordsMakeANewGroup) {
  const GroupGrowth growth = grow(3, {0}, {{{0, 2}, 0.8}});
  EXPECT_EQ(growth.group, (std::vector<std::uint32_t>(3, kNoGroup)));
  EXPECT_EQ(growth.first, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_NEAR(growth.weakest[2], 0.8, 1e-6);
}

TEST_F(GrowGroups, ARecordOfTwoGroupsJoinsTheLikelierOneAndIsListed) {
  const GroupGrowth growth = grow(1, {0, 1, 2}, {{{0, 1}, 0.8}, {{0, 2}, 0.9}, {{1, 2}, 0.9}});
  EXPECT_EQ(growth.group, (std::vector<std::uint32_t>{1}));
  ASSERT_EQ(growth.would_join.size(), 1U);
  EXPECT_EQ(growth.would_join[0].left, 0U);
  EXPECT_EQ(growth.would_join[0].right, 1U);
  EXPECT_EQ(growth.would_join[0].record, 0U);
  EXPECT_NEAR(growth.would_join[0].probability, 0.8, 1e-6);
}

TEST_F(GrowGroups, OlderGroupsStayApartHoweverLikelyTheyAreOne) {
  const GroupGrowth growth =
      grow(2, {0, 1},
           {{{0, 1}, 1}, {{0, 2}, 1}, {{0, 3}, 0.6}, {{1, 2}, 0.6}, {{1, 3}, 1}, {{2, 3}, 1}});
  EXPECT_NE(growth.group[0], kNoGroup);
  EXPECT_NE(growth.group[1], kNoGroup);
  EXPECT_EQ(growth.would_join.size(), 1U);
}

TEST_F(GrowGroups, GroupsThatRecordsJoinBecomeTheFirstOfThemIfThatIsAskedFor) {
  joins_groups_ = true;
  const GroupGrowth growth =
      grow(2, {0, 1, 2},
           {{{0, 1}, 1}, {{0, 2}, 1}, {{0, 3}, 0.9}, {{1, 2}, 0.9}, {{1, 3}, 1}, {{2, 3}, 0.9}});
  EXPECT_EQ(growth.group, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(growth.part_of, (std::vector<std::uint32_t>{0, 0, 2}));
  ASSERT_EQ(growth.would_join.size(), 1U);
  EXPECT_EQ(growth.would_join[0].left, 0U);
  EXPECT_EQ(growth.would_join[0].right, 1U);
}

TEST_F(GrowGroups, GroupsAreJoinedByTheAverageOfAllPairsAndNotAgainstARule) {
  joins_groups_ = true;  // the older records are unlike each other
  const auto pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, double>{
      {{0, 1}, 0.9}, {{0, 2}, 0.8}, {{1, 2}, 0}};
  EXPECT_EQ(grow(1, {0, 1}, pairs).part_of, (std::vector<std::uint32_t>{0, 1}));
  never_class_ = {0, 1, 2};
  never_ = [](std::uint32_t left, std::uint32_t right) { return left + right == 3; };
  EXPECT_EQ(grow(1, {0, 1}, {{{0, 1}, 1}, {{0, 2}, 1}, {{1, 2}, 1}}).part_of,
            (std::vector<std::uint32_t>{0, 1}));
}

TEST_F(GrowGroups, ANeverRuleKeepsARecordOutOfAGroup) {
  never_class_ = {0, 1, 2};
  never_ = [](std::uint32_t left, std::uint32_t right) { return left + right == 2; };
  const GroupGrowth growth = grow(1, {0, 1}, {{{0, 1}, 0.8}, {{0, 2}, 0.9}});
  EXPECT_EQ(growth.group, (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(growth.would_join.empty());
}

}  // namespace
}  // namespace sosie
