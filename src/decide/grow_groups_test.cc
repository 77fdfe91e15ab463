// Tests adding new records to groups: which group each record joins, and which groups are listed.
#include "decide/grow_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace sosie {
namespace {

// Records 0 .. fresh - 1 are new; groups are numbered in the order in which they are written.
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
    task.linkage.always = always_;
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
  std::vector<RecordPair> always_;
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
  joins_groups_ = true;  // the older records do not resemble each other
  const auto pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, double>{
      {{0, 1}, 0.9}, {{0, 2}, 0.8}, {{1, 2}, 0}};
  EXPECT_EQ(grow(1, {0, 1}, pairs).part_of, (std::vector<std::uint32_t>{0, 1}));
  never_class_ = {0, 1, 2};
  never_ = [](std::uint32_t left, std::uint32_t right) { return left + right == 3; };
  EXPECT_EQ(grow(1, {0, 1}, {{{0, 1}, 1}, {{0, 2}, 1}, {{1, 2}, 1}}).part_of,
            (std::vector<std::uint32_t>{0, 1}));
}

// Group 0 is a woman, group 1 a man and an unknown person, group 2 a man. One new record, `woman`,
// matches the woman and the unknown person; the other new record matches both men.
TEST_F(GrowGroups, ARuleForANewRecordPartsNoOlderGroup) {
  joins_groups_ = true;
  never_ = [](std::uint32_t left, std::uint32_t right) { return left == 1 && right == 2; };
  for (const std::uint32_t woman : {0U, 1U}) {
    const std::uint32_t man = 1 - woman;
    never_class_ = {woman == 0 ? 1U : 2U, woman == 0 ? 2U : 1U, 1, 2, 0, 2};
    always_ = {{woman, 2}, {woman, 4}, {man, 3}, {man, 5}};
    std::sort(always_.begin(), always_.end());
    const GroupGrowth growth = grow(2, {0, 1, 1, 2}, {});
    EXPECT_EQ(growth.group[woman], 0U);
    EXPECT_EQ(growth.group[man], 1U);
    EXPECT_EQ(growth.part_of, (std::vector<std::uint32_t>{0, 1, 1}));
    ASSERT_EQ(growth.would_join.size(), 1U);
    EXPECT_EQ(growth.would_join[0].left, 1U);
    EXPECT_EQ(growth.would_join[0].right, 2U);
  }
}

// A rule forbids that the two records in group 1 share a group, but they do. Each of them matches a
// new record, which also matches another group.
TEST_F(GrowGroups, AGroupThatARulePartsIsJoinedWithNone) {
  joins_groups_ = true;
  never_class_ = {0, 0, 0, 1, 2, 0};
  never_ = [](std::uint32_t left, std::uint32_t right) { return left == 1 && right == 2; };
  for (const bool swapped : {false, true}) {
    const std::uint32_t one = swapped ? 1 : 0;
    const std::uint32_t other = 1 - one;
    always_ = {{one, 2}, {one, 3}, {other, 4}, {other, 5}};
    std::sort(always_.begin(), always_.end());
    const GroupGrowth growth = grow(2, {0, 1, 1, 2}, {});
    EXPECT_EQ(growth.part_of, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(growth.group[one], 0U);
    EXPECT_EQ(growth.group[other], 2U);
    EXPECT_TRUE(growth.would_join.empty());
  }
}

TEST_F(GrowGroups, ARecordJoinsAPartedGroupWhereThereIsNoOther) {
  joins_groups_ = true;
  never_class_ = {0, 1, 2, 1, 2};
  never_ = [](std::uint32_t left, std::uint32_t right) { return left == 1 && right == 2; };
  always_ = {{0, 1}, {0, 3}};  // a part of each group
  const GroupGrowth growth = grow(1, {0, 0, 1, 1}, {});
  EXPECT_EQ(growth.group, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(growth.part_of, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(growth.would_join.empty());
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
