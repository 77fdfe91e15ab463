// Tests of assignment and of best links, against trying all choices.
#include "decide/one_to_one.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <limits>
#include <map>
#include <set>

#include "core/hash64.h"
#include "decide/best_links.h"
#include "reference/assignment.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using Indexes = std::vector<std::size_t>;

Indexes assigned(const std::vector<ScoredLink>& links, double floor = 0) {
  const ThreadPool pool(1, nullptr);
  return one_to_one(links, pool, floor);
}

// Links sorted by (left, right), scores in eighths from -2 to 6: many ties.
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

double total(const std::vector<ScoredLink>& links, const Indexes& chosen, double floor) {
  double sum = 0;
  for (const std::size_t i : chosen) sum += links[i].score - floor;
  return sum;
}

bool each_once(const std::vector<ScoredLink>& links, const Indexes& chosen) {
  std::set<std::uint32_t> lefts;
  std::set<std::uint32_t> rights;
  for (const std::size_t i : chosen) {
    if (!lefts.insert(links[i].left).second || !rights.insert(links[i].right).second) return false;
  }
  return true;
}

RC_GTEST_PROP(OneToOne, HasTheLargestTotalThereIs, ()) {
  const std::vector<ScoredLink> links = random_links(*rc::gen::inRange<std::uint32_t>(1, 8), 16);
  const double floor = *rc::gen::element(0.0, -1.0, 1.5);
  const Indexes chosen = assigned(links, floor);
  RC_ASSERT(std::is_sorted(chosen.begin(), chosen.end()));
  RC_ASSERT(each_once(links, chosen));
  std::vector<reference::WeightedLink> weighted;
  for (const ScoredLink& link : links) {
    weighted.push_back({link.left, link.right, link.score - floor});
  }
  RC_ASSERT(total(links, chosen, floor) == reference::largest_assignment(weighted));
  for (const std::size_t i : chosen) RC_ASSERT(links[i].score > floor);
}

// No change of two partners adds to a larger assignment, which brute force cannot reach.
TEST(OneToOne, CannotBeBetteredByASwapInALargeComponent) {
  std::vector<ScoredLink> links;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> scores;
  for (std::uint32_t left = 0; left < 3000; ++left) {
    for (std::uint32_t i = 0; i < 30; ++i) {
      const auto right = static_cast<std::uint32_t>(random64(left, i) % 2500);
      scores[{left, right}] = 1 + static_cast<double>(random64(left, 1000 + i) % 4096) / 256;
    }
  }
  for (const auto& [pair, score] : scores) links.push_back({pair.first, pair.second, score, 0});
  const Indexes chosen = assigned(links);
  ASSERT_TRUE(each_once(links, chosen));
  EXPECT_EQ(chosen.size(), 2500U);
  std::map<std::uint32_t, ScoredLink> of_right;
  std::map<std::uint32_t, ScoredLink> of_left;
  for (const std::size_t i : chosen) {
    of_left[links[i].left] = links[i];
    of_right[links[i].right] = links[i];
  }
  for (const ScoredLink& link : links) {
    const ScoredLink& taken = of_right.at(link.right);
    if (!of_left.contains(link.left)) {
      EXPECT_LE(link.score, taken.score);
      continue;
    }
    const ScoredLink& own = of_left.at(link.left);
    const auto crossed = scores.find({taken.left, own.right});
    const double gain = link.score + (crossed != scores.end() ? crossed->second : 0);
    EXPECT_LE(gain, taken.score + own.score + 1e-9);
  }
}

TEST(OneToOne, PrefersTwoGoodLinksToOneBetterOne) {
  const std::vector<ScoredLink> links = {{0, 0, 10, 0}, {0, 1, 8, 0}, {1, 0, 8, 0}};
  EXPECT_EQ(assigned(links), (Indexes{1, 2}));
  EXPECT_EQ(best_links(links), (Indexes{0, 2}));
}

TEST(OneToOne, LetsTheEarlierRecordWinATie) {
  const std::vector<ScoredLink> square = {{0, 0, 5, 0}, {0, 1, 5, 0}, {1, 0, 5, 0}, {1, 1, 5, 0}};
  EXPECT_EQ(assigned(square), (Indexes{0, 3}));
  const std::vector<ScoredLink> one_right = {{3, 7, 5, 0}, {4, 7, 5, 0}, {9, 7, 5, 0}};
  EXPECT_EQ(assigned(one_right), (Indexes{0}));
}

TEST(OneToOne, TakesNoLinkWithoutAWeight) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(assigned({}).empty());
  const std::vector<ScoredLink> links = {{0, 0, none, 0}, {1, 1, 0, 0}, {2, 2, -endless, 0}};
  EXPECT_TRUE(assigned(links).empty());
  EXPECT_TRUE(best_links(links).empty());
  const std::vector<ScoredLink> huge = {{0, 0, endless, 0}, {0, 1, 1e300, 0}, {1, 0, 3, 0}};
  EXPECT_EQ(assigned(huge), (Indexes{1, 2}));
}

// A hundred thousand links in a chain: each record pushes the one before it along.
TEST(OneToOne, SolvesALongChain) {
  std::vector<ScoredLink> links;
  constexpr std::uint32_t kRecords = 50000;
  for (std::uint32_t i = 0; i < kRecords; ++i) {
    if (i > 0) links.push_back({i, i - 1, 2, 0});
    links.push_back({i, i, 1, 0});
  }
  const Indexes chosen = assigned(links);
  EXPECT_TRUE(each_once(links, chosen));
  // All but the first by their better link; the first has none left, and the last right is free.
  EXPECT_EQ(total(links, chosen, 0), 2.0 * (kRecords - 1));
}

// Two blocks of equal records: every choice of partners is as good.
TEST(OneToOne, PairsEqualRecordsInOrder) {
  std::vector<ScoredLink> links;
  constexpr std::uint32_t kRecords = 2000;
  for (std::uint32_t left = 0; left < kRecords; ++left) {
    for (std::uint32_t right = 0; right < kRecords; ++right) links.push_back({left, right, 7, 0});
  }
  Indexes diagonal;
  for (std::size_t i = 0; i < kRecords; ++i) diagonal.push_back(i * kRecords + i);
  EXPECT_EQ(assigned(links), diagonal);
}

TEST(OneToOne, StopsWhenTheRunIsCancelled) {
  const std::atomic<bool> cancel = true;
  const ThreadPool pool(1, &cancel);
  EXPECT_THROW((void)one_to_one(std::vector<ScoredLink>{{0, 0, 5, 0}}, pool), Error);
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
