// Tests of one-to-one links and of best links.
#include "decide/one_to_one.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace sosie {
namespace {

using Indexes = std::vector<std::size_t>;

// Links sorted by (left, right); scores in eighths from -2 to 6, so there are many ties.
std::vector<ScoredLink> random_links(std::uint32_t side, std::size_t most) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> scores;
  const auto record = rc::gen::inRange<std::uint32_t>(0, side);
  for (std::size_t i = *rc::gen::inRange<std::size_t>(0, most + 1); i > 0; --i) {
    scores[{*record, *record}] = *rc::gen::inRange(-16, 49) / 8.0;
  }
  std::vector<ScoredLink> links;
  for (const auto& [pair, score] : scores) links.push_back({pair.first, pair.second, score, 0});
  return links;
}

bool each_once(const std::vector<ScoredLink>& links, const Indexes& chosen) {
  std::set<std::uint32_t> lefts;
  std::set<std::uint32_t> rights;
  for (const std::size_t i : chosen) {
    if (!lefts.insert(links[i].left).second || !rights.insert(links[i].right).second) return false;
  }
  return true;
}

RC_GTEST_PROP(OneToOne, EachLinkThatIsLeftOutLostARecordToOneAsGood, ()) {
  const std::vector<ScoredLink> links = random_links(*rc::gen::inRange<std::uint32_t>(1, 8), 16);
  const double floor = *rc::gen::element(0.0, -1.0, 1.5);
  const Indexes chosen = one_to_one(links, floor);
  RC_ASSERT(std::is_sorted(chosen.begin(), chosen.end()));
  RC_ASSERT(each_once(links, chosen));
  for (std::size_t i = 0; i < links.size(); ++i) {
    const bool is_chosen = std::binary_search(chosen.begin(), chosen.end(), i);
    if (is_chosen) RC_ASSERT(links[i].score > floor);
    if (is_chosen || links[i].score <= floor) continue;
    RC_ASSERT(std::any_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
      const bool shares =
          links[other].left == links[i].left || links[other].right == links[i].right;
      return shares && links[other].score >= links[i].score;
    }));
  }
}

TEST(OneToOne, TheBestLinkStandsThoughTwoGoodOnesAreLost) {
  const std::vector<ScoredLink> links = {{0, 0, 10, 0}, {0, 1, 8, 0}, {1, 0, 8, 0}};
  EXPECT_EQ(one_to_one(links), (Indexes{0}));
  EXPECT_EQ(best_links(links), (Indexes{0, 2}));
}

TEST(OneToOne, LetsTheEarlierLinkWinATie) {
  const std::vector<ScoredLink> square = {{0, 0, 5, 0}, {0, 1, 5, 0}, {1, 0, 5, 0}, {1, 1, 5, 0}};
  EXPECT_EQ(one_to_one(square), (Indexes{0, 3}));
}

TEST(OneToOne, TakesTheBestLinksAlone) {
  const std::vector<ScoredLink> links = {{0, 0, 4, 0}, {1, 0, 6, 0}, {1, 1, 5, 0}, {2, 2, 5, 0}};
  EXPECT_EQ(one_to_one(links, 0, 0), (Indexes{}));
  EXPECT_EQ(one_to_one(links, 0, 1), (Indexes{1}));
  EXPECT_EQ(one_to_one(links, 0, 2), (Indexes{1, 3}));
  EXPECT_EQ(one_to_one(links, 0, 3), (Indexes{1, 3}));
}

TEST(OneToOne, TakesNoLinkThatIsNotAboveTheFloor) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(one_to_one({}).empty());
  const std::vector<ScoredLink> links = {{0, 0, none, 0}, {1, 1, 0, 0}, {2, 2, -endless, 0}};
  EXPECT_TRUE(one_to_one(links, 0).empty());
  EXPECT_TRUE(best_links(links).empty());
  EXPECT_EQ(one_to_one(links), (Indexes{1}));
}

RC_GTEST_PROP(BestLinks, AreTheFirstOfTheHighestScoresOfTheirRecords, ()) {
  const std::vector<ScoredLink> links = random_links(6, 30);
  const double floor = *rc::gen::element(0.0, 1.5);
  Indexes expected;
  for (std::size_t i = 0; i < links.size(); ++i) {
    bool best = links[i].score > floor;
    for (std::size_t j = 0; j < links.size(); ++j) {
      if (links[j].left != links[i].left) continue;
      best =
          best && (links[j].score < links[i].score || (links[j].score == links[i].score && j >= i));
    }
    if (best) expected.push_back(i);
  }
  RC_ASSERT(best_links(links, floor) == expected);
}

}  // namespace
}  // namespace sosie
