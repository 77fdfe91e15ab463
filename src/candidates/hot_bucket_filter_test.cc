#include "candidates/hot_bucket_filter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "candidates/group_equal_keys.h"
#include "cluster/star.h"
#include "core/mix64.h"
#include "join/sets/matcher.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;

const Measure kJaccard = *set_measure("jaccard");

Set hashed(const std::set<std::uint32_t>& elements) {
  Set out;
  for (const std::uint32_t element : elements) out.push_back(mix64(element + 1));
  std::sort(out.begin(), out.end());
  return out;
}

// Pages from a few templates, with some elements of their own, and copies that differ by one
// element.
std::vector<Set> random_pages() {
  std::vector<Set> pages;
  std::vector<std::set<std::uint32_t>> drawn;
  const auto element = rc::gen::inRange<std::uint32_t>(1000, 1200);
  for (int i = *rc::gen::inRange(1, 60); i > 0; --i) {
    std::set<std::uint32_t> page;
    if (!drawn.empty() && *rc::gen::inRange(0, 4) == 0) {
      page = drawn[*rc::gen::inRange<std::size_t>(0, drawn.size())];
    } else {
      const std::uint32_t first = *rc::gen::element(0U, 100U, 200U);
      const std::uint32_t shared = *rc::gen::inRange(0U, 16U);
      for (std::uint32_t j = 0; j < shared; ++j) page.insert(first + j);
      for (int own = *rc::gen::inRange(1, 8); own > 0; --own) page.insert(*element);
    }
    if (*rc::gen::arbitrary<bool>()) page.insert(*element);
    drawn.push_back(page);
    pages.push_back(hashed(page));
  }
  return pages;
}

Buckets random_buckets(Place items) {
  Buckets buckets;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
    const std::uint32_t most = *rc::gen::inRange(1U, 9U);
    const std::size_t before = buckets.members.size();
    for (Place item = 0; item < items; ++item) {
      if (*rc::gen::inRange(0U, 9U) < most) buckets.members.push_back(item);
    }
    if (buckets.members.size() < before + 2) buckets.members.resize(before);
    if (buckets.members.size() > before) buckets.starts.push_back(buckets.members.size());
  }
  return buckets;
}

struct World {
  std::vector<Set> pages;
  Buckets buckets;
  Rational threshold;
  Place fixed = 0;
  bool within = true;
};

World random_world() {
  World world;
  world.pages = random_pages();
  const auto items = static_cast<Place>(world.pages.size());
  world.buckets = random_buckets(items);
  world.threshold.den = *rc::gen::inRange<std::uint64_t>(2, 11);
  world.threshold.num = *rc::gen::inRange<std::uint64_t>(1, world.threshold.den + 1);
  world.fixed = *rc::gen::inRange<Place>(0, items / 2 + 1);
  world.within = *rc::gen::inRange(0, 4) != 0;
  return world;
}

struct Counted {
  Clusters clusters;
  std::uint64_t candidates = 0;
};

SetOfItem sets_of(const World& world) {
  return [&world](unsigned, Place item) {
    const auto set = std::make_shared<const Set>(world.pages[item]);
    return ShingleSet(set, *set);
  };
}

// Star clustering; without a rule, every bucket is compared without a filter.
Counted cluster(const World& world, const HotBucketRule* rule, Place batch, unsigned threads) {
  ThreadPool pool(threads, nullptr);
  const auto items = static_cast<Place>(world.pages.size());
  std::vector<std::uint64_t> candidates_of(threads);
  StarSteps steps;
  steps.fixed = world.fixed;
  steps.within = world.within;
  steps.batch = batch;
  steps.prune = [&](unsigned worker, Place, std::vector<Place>& candidates) {
    candidates_of[worker] += candidates.size();
  };
  steps.first_match = [&](unsigned, Place item,
                          std::span<const Place> candidates) -> std::optional<Match> {
    for (const Place other : candidates) {
      const Overlap overlap = kJaccard.overlap(world.pages[item], world.pages[other]);
      if (kJaccard.reaches(overlap, world.threshold)) return Match{other, overlap};
    }
    return std::nullopt;
  };
  steps.count = [](unsigned, std::size_t) {};
  steps.progress = [](std::size_t) {};
  HotBucketRule never;
  never.measure = &kJaccard;
  HotBucketFilter filter(rule != nullptr ? *rule : never, sets_of(world), pool);
  if (rule != nullptr) steps.hot_buckets = hot_bucket_steps(filter);
  Counted counted;
  counted.clusters =
      star_clusters(world.buckets, buckets_of_items(world.buckets, items, pool), pool, steps);
  counted.candidates =
      std::accumulate(candidates_of.begin(), candidates_of.end(), std::uint64_t{0});
  return counted;
}

RC_GTEST_PROP(HotBucketFilter, ChangesNoResultOfStarClustering, ()) {
  const World world = random_world();
  HotBucketRule rule;
  rule.measure = &kJaccard;
  rule.threshold = world.threshold;
  rule.most_survivors = *rc::gen::inRange<Place>(0, 6);
  rule.most_bytes = *rc::gen::element<std::uint64_t>(1 << 30, 5000);
  rule.listed_per_set = *rc::gen::element<std::uint64_t>(0, 1, 2000);
  const Place batch = *rc::gen::inRange<Place>(1, 12);
  const Counted plain = cluster(world, nullptr, 1024, 1);
  for (const unsigned threads : {1U, 3U}) {
    const Counted filtered = cluster(world, &rule, batch, threads);
    RC_ASSERT(filtered.clusters.survivor == plain.clusters.survivor);
    for (std::size_t i = 0; i < world.pages.size(); ++i) {
      RC_ASSERT(filtered.clusters.overlap[i].shared == plain.clusters.overlap[i].shared);
    }
  }
}

RC_GTEST_PROP(HotBucketFilter, ListsEverySimilarMember, ()) {
  const World world = random_world();
  ThreadPool pool(2, nullptr);
  HotBucketRule rule;
  rule.measure = &kJaccard;
  rule.threshold = world.threshold;
  rule.most_bytes = 1 << 30;
  HotBucketFilter filter(rule, sets_of(world), pool);
  std::vector<Place> members(world.pages.size());
  std::iota(members.begin(), members.end(), Place{0});
  filter.end_batch(members);
  for (Place item = 0; item < members.size(); ++item) {
    std::vector<Place> listed;
    filter.list_all(0, item, listed);
    const std::set<Place> found(listed.begin(), listed.end());
    for (const Place other : members) {
      const Overlap overlap = kJaccard.overlap(world.pages[item], world.pages[other]);
      RC_ASSERT(found.contains(other) || !kJaccard.reaches(overlap, world.threshold));
    }
  }
}

// 500 pages in a bucket: `shared` elements from a template, and `own` elements that no other page
// has.
World templated(std::uint32_t shared, std::uint32_t own) {
  constexpr Place kPages = 500;
  World world;
  world.threshold = {4, 5};
  world.buckets = single_bucket(kPages);
  std::uint32_t next = 1000;
  for (Place i = 0; i < kPages; ++i) {
    std::set<std::uint32_t> page;
    for (std::uint32_t j = 0; j < shared; ++j) page.insert(j);
    for (std::uint32_t j = 0; j < own; ++j) page.insert(next++);
    world.pages.push_back(hashed(page));
  }
  return world;
}

const HotBucketRule kFewSurvivors{&kJaccard, {4, 5}, 20, 1 << 30};

TEST(HotBucketFilter, LeavesOutPagesThatShareTheirTemplateOnly) {
  const Counted counted = cluster(templated(60, 40), &kFewSurvivors, 10, 2);
  EXPECT_LT(counted.candidates, 31 * 30 / 2 + 1);  // until the bucket is hot
}

// 15 of 100 elements are a page's own, and prefixes have 21 elements, so they include shared
// elements. But all of these come after the last position at which the threshold could still be
// reached.
TEST(HotBucketFilter, LeavesOutByPositionWhatSharesATokenOfItsPrefix) {
  const Counted counted = cluster(templated(85, 15), &kFewSurvivors, 10, 2);
  EXPECT_LT(counted.candidates, 31 * 30 / 2 + 1);
}

// Adds all members of a bucket to the filter; returns true if the filter is used to list candidates
// for the last member.
bool lists_for_last_of(const World& world, std::uint64_t in_buckets) {
  ThreadPool pool(1, nullptr);
  HotBucketRule rule = kFewSurvivors;
  rule.threshold = world.threshold;
  HotBucketFilter filter(rule, sets_of(world), pool);
  const auto last = static_cast<Place>(world.pages.size() - 1);
  std::vector<Place> members(last);
  std::iota(members.begin(), members.end(), Place{0});
  filter.end_batch(members);
  filter.begin_batch(last, last + 1);
  return filter.prepare(0, last, in_buckets);
}

// Sets of elements sampled from 100, none of them rare: half of the sets share any element of a
// prefix.
World without_rare_elements() {
  constexpr Place kSets = 500;
  World world;
  world.threshold = {1, 2};
  world.buckets = single_bucket(kSets);
  for (Place i = 0; i < kSets; ++i) {
    std::set<std::uint32_t> elements;
    for (std::uint32_t j = 0; elements.size() < 50; ++j) {
      elements.insert(static_cast<std::uint32_t>(random64(i, j) % 100));
    }
    world.pages.push_back(hashed(elements));
  }
  return world;
}

TEST(HotBucketFilter, IsPassedOverWhereItListsMoreThanTheBuckets) {
  EXPECT_TRUE(lists_for_last_of(templated(60, 40), 499));
  EXPECT_FALSE(lists_for_last_of(without_rare_elements(), 499));
  // Without the filter, an item that shares hundreds of buckets with every other item would need
  // more comparisons.
  EXPECT_TRUE(lists_for_last_of(without_rare_elements(), 1'000'000));
}

TEST(HotBucketFilter, ThatIsPassedOverChangesNoResult) {
  const World world = without_rare_elements();
  HotBucketRule rule = kFewSurvivors;
  rule.threshold = world.threshold;
  const Counted plain = cluster(world, nullptr, 1024, 1);
  for (const unsigned threads : {1U, 3U}) {
    const Counted passed_over = cluster(world, &rule, 10, threads);
    EXPECT_EQ(passed_over.clusters.survivor, plain.clusters.survivor);
  }
}

TEST(HotBucketFilter, LearnsTemplatesThatComeLater) {
  World world = templated(60, 40);
  for (std::size_t i = 100; i < world.pages.size(); ++i) {
    std::set<std::uint32_t> page;
    for (std::uint32_t j = 500; j < 560; ++j) page.insert(j);
    for (std::uint32_t j = 0; j < 40; ++j) {
      page.insert(100'000 + 40 * static_cast<std::uint32_t>(i) + j);
    }
    world.pages[i] = hashed(page);
  }
  HotBucketRule rule = kFewSurvivors;
  const std::uint64_t never = cluster(world, &rule, 10, 1).candidates;
  rule.listed_per_set = 1;
  const std::uint64_t soon = cluster(world, &rule, 10, 1).candidates;
  EXPECT_GT(never, 400 * 399 / 4);
  EXPECT_LT(soon, never / 10);
}

TEST(HotBucketFilter, ListsNothingAnyMoreBeyondItsMemory) {
  const World world = templated(60, 40);
  ThreadPool pool(1, nullptr);
  HotBucketRule rule = kFewSurvivors;
  rule.most_bytes = 20'000;
  HotBucketFilter filter(rule, sets_of(world), pool);
  std::vector<Place> members(10);
  std::iota(members.begin(), members.end(), Place{0});
  filter.end_batch(members);
  EXPECT_TRUE(filter.is_open());
  members.assign(490, 0);
  std::iota(members.begin(), members.end(), Place{10});
  filter.end_batch(members);
  EXPECT_FALSE(filter.is_open());
}

Buckets buckets_of(const std::vector<std::vector<Place>>& lists) {
  Buckets buckets;
  for (const std::vector<Place>& list : lists) {
    buckets.members.insert(buckets.members.end(), list.begin(), list.end());
    buckets.starts.push_back(buckets.members.size());
  }
  return buckets;
}

TEST(TemplateBuckets, AreThoseOfMoreItemsThanAllowed) {
  const TemplateBuckets none = find_templates(buckets_of({{0, 1, 2}, {3, 4}}), 5, 3);
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.of_item.empty());
  const TemplateBuckets one = find_templates(buckets_of({{3, 4}, {0, 1, 2}}), 5, 2);
  EXPECT_EQ(one.largest, std::vector<std::uint32_t>{1});
  EXPECT_EQ(one.of_item, (std::vector<std::uint8_t>{1, 1, 1, 0, 0}));
}

TEST(TemplateBuckets, BucketsOfOneTemplateAreTakenTogether) {
  const Buckets buckets =
      buckets_of({{0, 1, 2}, {0, 1, 2, 3, 4}, {5, 6, 7, 8}, {1, 2, 3, 9}, {5, 6}});
  const TemplateBuckets found = find_templates(buckets, 11, 2);
  EXPECT_EQ(found.largest, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(found.of_item, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 0}));
}

TEST(TemplateBuckets, OnlySoManyAreToldApart) {
  std::vector<std::vector<Place>> lists;
  for (Place i = 0; i < 40; ++i) lists.push_back({2 * i, 2 * i + 1});
  const TemplateBuckets found = find_templates(buckets_of(lists), 80, 1);
  EXPECT_EQ(found.largest.size(), kMostTemplates);
  EXPECT_EQ(found.of_item[2 * kMostTemplates - 1], kMostTemplates);
  EXPECT_EQ(found.of_item[2 * kMostTemplates], 0);
}

}  // namespace
}  // namespace sosie
