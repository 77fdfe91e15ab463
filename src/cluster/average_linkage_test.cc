// Tests of average linkage, compared with examining all pairs of groups at every step.
#include "cluster/average_linkage.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/mix64.h"
#include "reference/average_linkage.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr double kUnit = 1.0 / 64;  // probabilities are multiples, so that all sums are exact

// Links between random records; the probability of any other pair is derived from a hash.
struct World {
  std::uint32_t records = 0;
  std::vector<ScoredLink> links;
  std::vector<RecordPair> always;
  std::vector<std::uint32_t> never_class;
  double cut = 0.5;
  double unscored_cap = 1;

  [[nodiscard]] double unscored(std::uint32_t left, std::uint32_t right) const {
    const auto drawn = static_cast<double>(random64(left, right) % 65) * kUnit;
    return std::min(drawn, unscored_cap);
  }
  [[nodiscard]] LinkageTask task() const {
    LinkageTask task;
    task.records = records;
    task.links = links;
    task.cut = cut;
    task.always = always;
    task.never_class = never_class;
    task.never = &differ;
    task.probability = [this](unsigned, std::uint32_t left, std::uint32_t right) {
      return unscored(left, right);
    };
    return task;
  }
  // Class 0 means that there is no value, and is compatible with every class.
  static bool differ(std::uint32_t a, std::uint32_t b) { return a != 0 && b != 0 && a != b; }
};

World random_world(std::uint32_t most_records) {
  World world;
  world.records = *rc::gen::inRange<std::uint32_t>(1, most_records);
  const auto record = rc::gen::inRange<std::uint32_t>(0, world.records);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [a, b] :
       *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
           rc::gen::pair(record, record))) {
    if (a != b) pairs.insert({std::min(a, b), std::max(a, b)});
  }
  const int step = *rc::gen::element(1, 16, 32);  // large steps cause ties
  for (const auto& [left, right] : pairs) {
    world.links.push_back({left, right, 0, *rc::gen::inRange(0, 64 / step + 1) * step * kUnit});
  }
  world.cut = *rc::gen::inRange(1, 65) * kUnit;
  world.unscored_cap = *rc::gen::element(0.0, 0.25, 1.0);
  return world;
}

RecordGroups run(const World& world, unsigned threads = 1) {
  ThreadPool pool(threads, nullptr);
  return average_linkage(world.task(), pool);
}

std::vector<reference::Records> groups_of(const RecordGroups& groups) {
  std::map<std::uint32_t, reference::Records> by_first;
  for (std::uint32_t record = 0; record < groups.first.size(); ++record) {
    by_first[groups.first[record]].insert(record);
  }
  std::vector<reference::Records> out;
  for (const auto& [first, records] : by_first) {
    EXPECT_EQ(first, *records.begin());
    out.push_back(records);
  }
  return out;
}

reference::LinkageWorld plain(const World& world) {
  reference::LinkageWorld out;
  out.records = world.records;
  for (const ScoredLink& link : world.links) out.links[{link.left, link.right}] = link.probability;
  out.cut = world.cut;
  out.probability = [&world](std::size_t a, std::size_t b) {
    return world.unscored(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  };
  out.never = [&world](std::size_t a, std::size_t b) {
    return !world.never_class.empty() && World::differ(world.never_class[a], world.never_class[b]);
  };
  return out;
}

// Starts with single records, and joins the pairs that always share a group, one after another,
// unless a rule forbids it.
std::vector<reference::Records> begun(const World& world, const reference::LinkageWorld& out) {
  std::vector<reference::Records> groups;
  for (std::size_t i = 0; i < world.records; ++i) groups.push_back({i});
  for (const RecordPair& pair : world.always) {
    const auto holding = [&](std::uint32_t record) {
      return std::find_if(groups.begin(), groups.end(),
                          [&](const auto& group) { return group.contains(record); });
    };
    const auto a = holding(pair.left);
    const auto b = holding(pair.right);
    bool forbidden = a == b;
    reference::each_pair(*a, *b, [&](const reference::PairOfRecords& two) {
      forbidden = forbidden || out.never(two.first, two.second);
    });
    if (forbidden) continue;
    a->insert(b->begin(), b->end());
    groups.erase(b);
  }
  return groups;
}

RC_GTEST_PROP(AverageLinkage, MatchesTheDefinition, ()) {
  World world = random_world(14);
  if (*rc::gen::arbitrary<bool>()) {
    world.never_class = *rc::gen::container<std::vector<std::uint32_t>>(
        world.records, rc::gen::inRange<std::uint32_t>(0, 4));
  }
  for (int i = *rc::gen::inRange(0, 3); i > 0 && world.records > 1; --i) {
    const auto left = *rc::gen::inRange<std::uint32_t>(0, world.records - 1);
    world.always.push_back({left, *rc::gen::inRange<std::uint32_t>(left + 1, world.records)});
  }
  const reference::LinkageWorld out = plain(world);
  const auto expected = reference::average_linkage(out, begun(world, out));
  for (const unsigned threads : {1U, 3U}) RC_ASSERT(groups_of(run(world, threads)) == expected);
}

RC_GTEST_PROP(AverageLinkage, NeverJoinsForbiddenPairs, ()) {
  World world = random_world(60);
  world.never_class = *rc::gen::container<std::vector<std::uint32_t>>(
      world.records, rc::gen::inRange<std::uint32_t>(0, 3));
  for (const reference::Records& group : groups_of(run(world))) {
    for (const std::size_t a : group) {
      for (const std::size_t b : group) {
        RC_ASSERT(!World::differ(world.never_class[a], world.never_class[b]));
      }
    }
  }
}

RC_GTEST_PROP(AverageLinkage, ShowsTheWeakestPairOfEachGroup, ()) {
  const World world = random_world(30);
  const RecordGroups groups = run(world);
  const reference::LinkageWorld out = plain(world);
  std::size_t several = 0;
  for (const reference::Records& records : groups_of(groups)) {
    if (records.size() < 2) continue;
    const RecordGroup& group = groups.groups.at(several++);
    std::optional<std::pair<double, reference::PairOfRecords>> weakest;
    reference::each_pair(records, records, [&](const reference::PairOfRecords& pair) {
      if (pair.first == pair.second) return;
      const auto link = out.links.find(pair);
      const double value =
          link != out.links.end() ? link->second : out.probability(pair.first, pair.second);
      if (!weakest || std::pair(value, pair) < *weakest) weakest = {value, pair};
    });
    RC_ASSERT(group.first == *records.begin());
    RC_ASSERT(group.size == records.size());
    RC_ASSERT(group.all_compared);
    RC_ASSERT(group.probability == weakest->first);
    RC_ASSERT(reference::PairOfRecords(group.weakest.left, group.weakest.right) == weakest->second);
  }
  RC_ASSERT(several == groups.groups.size());
}

RC_GTEST_PROP(AverageLinkage, ComparesNoPairForGroupsThatAreNotDescribed, ()) {
  const World world = random_world(20);
  ThreadPool pool(2, nullptr);
  LinkageTask task = world.task();
  const RecordGroups described = average_linkage(task, pool);
  task.describes_groups = false;
  const RecordGroups found = average_linkage(task, pool);
  RC_ASSERT(found.first == described.first);
  RC_ASSERT(found.groups.empty());
  RC_ASSERT(found.scored <= described.scored);
}

// The ends of a chain of likely links are unrelated; connected components would put the whole chain
// into one group.
TEST(AverageLinkage, DoesNotFollowChains) {
  World world;
  world.records = 6;
  world.unscored_cap = 0;
  for (std::uint32_t i = 0; i + 1 < world.records; ++i) world.links.push_back({i, i + 1, 0, 0.75});
  const RecordGroups groups = run(world);
  EXPECT_EQ(groups.first, (std::vector<std::uint32_t>{0, 0, 2, 2, 4, 4}));
}

TEST(AverageLinkage, ScoresThePairsThatNoLinkTells) {
  World world;
  world.records = 3;
  world.links = {{0, 1, 0, 1.0}, {1, 2, 0, 0.75}};
  LinkageTask task = world.task();
  ThreadPool pool(1, nullptr);
  for (const double unscored : {0.24, 0.26}) {  // between 0 and 2: the average with 2 is about .5
    std::atomic<int> calls = 0;
    task.probability = [&](unsigned, std::uint32_t left, std::uint32_t right) {
      ++calls;
      EXPECT_EQ(left, 0U);
      EXPECT_EQ(right, 2U);
      return unscored;
    };
    const RecordGroups groups = average_linkage(task, pool);
    EXPECT_EQ(groups.first[2], unscored > 0.25 ? 0U : 2U);
    EXPECT_GE(calls, 1);
    EXPECT_EQ(groups.scored, static_cast<std::uint64_t>(calls));
  }
}

TEST(AverageLinkage, TakesProbabilitiesThatAreNoNumbersForNone) {
  World world;
  world.records = 4;
  world.links = {{0, 1, 0, std::numeric_limits<double>::quiet_NaN()}, {2, 3, 0, 1e300}};
  EXPECT_EQ(run(world).first, (std::vector<std::uint32_t>{0, 1, 2, 2}));
}

// The weakest pair is the one without a probability, not one of the likely ones.
TEST(AverageLinkage, ShowsAPairWithoutAProbabilityAsTheWeakest) {
  World world;
  world.records = 3;
  world.always = {{0, 1}, {1, 2}};
  world.links = {{0, 1, 0, 0.5}, {0, 2, 0, 2.0}, {1, 2, 0, std::nan("")}};
  const RecordGroups groups = run(world);
  ASSERT_EQ(groups.groups.size(), 1U);
  EXPECT_EQ(groups.groups[0].weakest.left, 1U);
  EXPECT_EQ(groups.groups[0].weakest.right, 2U);
  EXPECT_EQ(groups.groups[0].probability, 0);
}

// 300,000 records that always share a group, twice: 9e10 pairs between the two groups.
TEST(AverageLinkage, AddsUpThePairsOfHugeGroups) {
  constexpr std::uint32_t kHalf = 300000;
  World world;
  world.records = 2 * kHalf;
  for (std::uint32_t record = 1; record < kHalf; ++record) {
    world.always.push_back({0, record});
    world.always.push_back({kHalf, kHalf + record});
  }
  world.links = {{0, kHalf, 0, 1.0}};
  LinkageTask task = world.task();
  task.probability = [](unsigned, std::uint32_t, std::uint32_t) { return 0.9; };
  ThreadPool pool(1, nullptr);
  EXPECT_EQ(average_linkage(task, pool).groups.size(), 1U);
}

TEST(AverageLinkage, GroupsManySmallComponents) {
  World world;
  world.records = 30000;
  std::vector<std::uint32_t> first;
  for (std::uint32_t record = 0; record < world.records; record += 3) {
    world.links.push_back({record, record + 2, 0, 0.75});
    first.insert(first.end(), {record, record + 1, record});
  }
  for (const unsigned threads : {1U, 3U}) {
    const RecordGroups groups = run(world, threads);
    EXPECT_EQ(groups.first, first);
    ASSERT_EQ(groups.groups.size(), 10000U);
    EXPECT_EQ(groups.groups[9999].first, 29997U);
  }
}

TEST(AverageLinkage, StopsWithinAComponentWhenTheRunIsCancelled) {
  World world;
  world.records = 1000;
  for (std::uint32_t i = 0; i + 1 < world.records; ++i) world.links.push_back({i, i + 1, 0, 1.0});
  std::atomic<bool> cancel = false;
  LinkageTask task = world.task();
  std::uint64_t scored = 0;
  task.probability = [&](unsigned, std::uint32_t, std::uint32_t) {
    cancel = ++scored == 100;
    return 1.0;
  };
  ThreadPool pool(1, &cancel);
  EXPECT_THROW((void)average_linkage(task, pool), Error);
  EXPECT_EQ(scored, 100U);
}

TEST(AverageLinkage, OfNothingIsNothing) {
  EXPECT_TRUE(run({}).first.empty());
  World world;
  world.records = 3;
  EXPECT_EQ(run(world).first, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_TRUE(run(world).groups.empty());
}

// 30,000 equal records, each linked to its ten neighbours: 450 million pairs, of which the joins
// examine only a few.
TEST(AverageLinkage, JoinsALargeGroupWithoutLookingAtAllPairs) {
  World world;
  world.records = 30000;
  for (std::uint32_t left = 0; left < world.records; ++left) {
    for (std::uint32_t right = left + 1; right < std::min(left + 11, world.records); ++right) {
      world.links.push_back({left, right, 0, 1 - (left % 7) * kUnit});
    }
  }
  LinkageTask task = world.task();
  task.probability = [](unsigned, std::uint32_t, std::uint32_t) { return 0.9; };
  ThreadPool pool(1, nullptr);
  const RecordGroups groups = average_linkage(task, pool);
  ASSERT_EQ(groups.groups.size(), 1U);
  EXPECT_EQ(groups.groups[0].size, world.records);
  EXPECT_FALSE(groups.groups[0].all_compared);
  EXPECT_LT(groups.scored, 10000000U);
  EXPECT_EQ(groups.groups[0].probability, 0.9);
}

// All pairs are tied, so each join enlarges a group that is tied with all others. This takes
// seconds; reexamining each tied pair after each join would take minutes.
TEST(AverageLinkage, JoinsAllThatIsEquallyLikelyInOneGo) {
  World world;
  world.records = 60000;
  for (std::uint32_t right = 1; right < world.records; ++right) {
    world.links.push_back({0, right, 0, 1});
  }
  LinkageTask task = world.task();
  task.probability = [](unsigned, std::uint32_t, std::uint32_t) { return 1.0; };
  ThreadPool pool(1, nullptr);
  const RecordGroups groups = average_linkage(task, pool);
  ASSERT_EQ(groups.groups.size(), 1U);
  EXPECT_EQ(groups.groups[0].size, world.records);
}

}  // namespace
}  // namespace sosie
