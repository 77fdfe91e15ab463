#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "candidates/group_equal_keys.h"
#include "cluster/components.h"
#include "cluster/star.h"
#include "core/mix64.h"
#include "reference/components.h"
#include "reference/star.h"

namespace sosie {
namespace {

// Random buckets with ascending members, and a rule for which items are similar.
struct BucketWorld {
  Place items = 0;
  Buckets buckets;
  std::set<std::pair<Place, Place>> similar;

  [[nodiscard]] bool share_bucket(Place a, Place b) const {
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      const auto members = buckets[i];
      if (std::count(members.begin(), members.end(), a) != 0 &&
          std::count(members.begin(), members.end(), b) != 0) {
        return true;
      }
    }
    return false;
  }
};

BucketWorld random_world() {
  BucketWorld world;
  world.items = *rc::gen::inRange<Place>(1, 40);
  const auto item = rc::gen::inRange<Place>(0, world.items);
  for (int i = *rc::gen::inRange(0, 30); i > 0; --i) {
    const auto drawn = *rc::gen::container<std::vector<Place>>(item);
    const std::set<Place> members(drawn.begin(), drawn.end());
    if (members.size() < 2) continue;
    world.buckets.members.insert(world.buckets.members.end(), members.begin(), members.end());
    world.buckets.starts.push_back(world.buckets.members.size());
  }
  const auto similar =
      *rc::gen::container<std::vector<std::pair<Place, Place>>>(rc::gen::pair(item, item));
  world.similar.insert(similar.begin(), similar.end());
  return world;
}

BucketsOfItems of_items(const BucketWorld& world) {
  BucketsOfItems out;
  out.starts.push_back(0);
  for (Place item = 0; item < world.items; ++item) {
    for (std::size_t i = 0; i < world.buckets.size(); ++i) {
      const auto members = world.buckets[i];
      if (std::count(members.begin(), members.end(), item) != 0) {
        out.buckets.push_back(static_cast<std::uint32_t>(i));
      }
    }
    out.starts.push_back(out.buckets.size());
  }
  return out;
}

Clusters cluster(const BucketWorld& world, unsigned threads, Place fixed = 0, bool within = true) {
  ThreadPool pool(threads, nullptr);
  StarSteps steps;
  steps.fixed = fixed;
  steps.within = within;
  steps.prune = [](unsigned, Place, std::vector<Place>&) {};
  steps.first_match = [&](unsigned, Place item,
                          std::span<const Place> candidates) -> std::optional<Match> {
    for (const Place candidate : candidates) {
      if (world.similar.contains({candidate, item})) return Match{candidate, {1, 2}};
    }
    return std::nullopt;
  };
  steps.count = [](unsigned, std::size_t) {};
  steps.progress = [](std::size_t) {};
  return star_clusters(world.buckets, of_items(world), pool, steps);
}

std::vector<std::size_t> survivors(const Clusters& clusters) {
  return {clusters.survivor.begin(), clusters.survivor.end()};
}

// The similar pairs that share a bucket, each in both directions.
std::vector<VerifiedPair> pairs_of(const BucketWorld& world) {
  std::vector<VerifiedPair> pairs;
  for (const auto& [left, right] : world.similar) {
    if (left >= right || !world.share_bucket(left, right)) continue;
    const VerifiedPair pair{left, right, {left + 1, left + right + 1}};
    pairs.push_back(pair);
    pairs.push_back(pair);
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const VerifiedPair& a, const VerifiedPair& b) { return sort_key(a) < sort_key(b); });
  return pairs;
}

RC_GTEST_PROP(Star, MatchesTheDefinition, ()) {
  const BucketWorld world = random_world();
  const Place fixed = *rc::gen::inRange<Place>(0, world.items);
  const auto expected = reference::star(
      world.items,
      [&](std::size_t a, std::size_t b) {
        return world.share_bucket(static_cast<Place>(a), static_cast<Place>(b));
      },
      [&](std::size_t a, std::size_t b) {
        return world.similar.contains({static_cast<Place>(a), static_cast<Place>(b)});
      },
      fixed);
  for (const unsigned threads : {1U, 3U}) {
    RC_ASSERT(survivors(cluster(world, threads, fixed)) == expected);
  }
  const std::vector<VerifiedPair> pairs = pairs_of(world);
  const Clusters of_pairs = star_of_pairs(world.items, all_of(pairs), fixed);
  RC_ASSERT(survivors(of_pairs) == expected);
  for (Place item = 0; item < world.items; ++item) {
    const Place survivor = of_pairs.survivor[item];
    if (survivor == item) continue;
    RC_ASSERT(of_pairs.overlap[item] == Overlap({survivor + 1, survivor + item + 1}));
  }
}

RC_GTEST_PROP(Star, ComparesTheRestWithFixedItemsOnlyIfAsked, ()) {
  const BucketWorld world = random_world();
  const Place fixed = *rc::gen::inRange<Place>(0, world.items);
  std::vector<std::size_t> expected;
  for (Place item = 0; item < world.items; ++item) {
    Place survivor = item < fixed ? item : 0;
    while (survivor < fixed && survivor < item &&
           !(world.similar.contains({survivor, item}) && world.share_bucket(survivor, item))) {
      ++survivor;
    }
    expected.push_back(survivor < fixed ? survivor : item);
  }
  for (const unsigned threads : {1U, 3U}) {
    RC_ASSERT(survivors(cluster(world, threads, fixed, false)) == expected);
  }
}

// The items do not fit in a batch, so survivors of both earlier batches and the current one matter.
TEST(Star, DoesNotDependOnThreadsAcrossBatches) {
  BucketWorld world;
  world.items = 5000;
  for (Place i = 0; i < world.items; ++i) world.buckets.members.push_back(i);
  world.buckets.starts.push_back(world.items);
  BucketsOfItems one;
  for (Place i = 0; i <= world.items; ++i) one.starts.push_back(i);
  one.buckets.assign(world.items, 0);
  const auto run = [&](unsigned threads) {
    ThreadPool pool(threads, nullptr);
    StarSteps steps;
    steps.prune = [](unsigned, Place item, std::vector<Place>& candidates) {
      std::erase_if(candidates, [item](Place c) { return c % 7 != item % 7; });
    };
    steps.first_match = [](unsigned, Place item,
                           std::span<const Place> candidates) -> std::optional<Match> {
      for (const Place c : candidates) {
        if (item - c < 1500) return Match{c, {item - c, 5000}};
      }
      return std::nullopt;
    };
    steps.count = [](unsigned, std::size_t) {};
    steps.progress = [](std::size_t) {};
    return star_clusters(world.buckets, one, pool, steps);
  };
  const Clusters single = run(1);
  for (Place item = 0; item < world.items; ++item) {
    // For each residue, survivors are 1,500 places apart, or slightly more.
    const Place survivor = single.survivor[item];
    EXPECT_EQ(survivor % 7, item % 7);
    EXPECT_EQ(single.survivor[survivor], survivor);
    EXPECT_LT(item - survivor, 1500U);
  }
  for (const unsigned threads : {2U, 7U}) {
    const Clusters many = run(threads);
    EXPECT_EQ(many.survivor, single.survivor);
    EXPECT_EQ(many.overlap, single.overlap);
  }
}

// Neighbours share a bucket, so throughout a batch, the survival of an item depends on the item
// before it. In addition, every hundred items share a bucket in which only the first few survivors
// are predicted.
TEST(Star, WhatIsForeseenDoesNotDecide) {
  constexpr Place kItems = 3000;
  constexpr Place kShared = 100;
  Buckets buckets;
  for (Place i = 0; i + 1 < kItems; ++i) {
    buckets.members.insert(buckets.members.end(), {i, i + 1});
    buckets.starts.push_back(buckets.members.size());
  }
  for (Place i = 0; i < kItems; ++i) {
    buckets.members.push_back(i);
    if ((i + 1) % kShared == 0) buckets.starts.push_back(buckets.members.size());
  }
  const auto are_similar = [](Place left, Place right) {
    return (left * 7 + right * 3) % 5 == 0 || (right % kShared > 50 && left % kShared == 20);
  };
  const auto run = [&](unsigned threads, Place batch, bool looks_ahead, std::size_t& counted) {
    ThreadPool pool(threads, nullptr);
    std::atomic<std::size_t> compared = 0;
    StarSteps steps;
    steps.batch = batch;
    steps.looks_ahead = looks_ahead;
    steps.prune = [](unsigned, Place item, std::vector<Place>& candidates) {
      std::erase_if(candidates, [item](Place other) { return (item + other) % 4 == 0; });
    };
    steps.first_match = [&](unsigned, Place item,
                            std::span<const Place> candidates) -> std::optional<Match> {
      EXPECT_TRUE(std::ranges::is_sorted(candidates));
      for (const Place other : candidates) {
        if (are_similar(other, item)) return Match{other, {1, item + 1}};
      }
      return std::nullopt;
    };
    steps.count = [&](unsigned, std::size_t some) { compared += some; };
    steps.progress = [](std::size_t) {};
    Clusters clusters =
        star_clusters(buckets, buckets_of_items(buckets, kItems, pool), pool, steps);
    counted = compared;
    return clusters;
  };
  std::size_t in_turn = 0;
  const Clusters expected = run(1, 1024, false, in_turn);
  EXPECT_GT(in_turn, 1000U);
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const Place batch : {100U, 1024U, 4096U}) {
      std::size_t counted = 0;
      const Clusters clusters = run(threads, batch, true, counted);
      EXPECT_EQ(clusters.survivor, expected.survivor);
      EXPECT_EQ(clusters.overlap, expected.overlap);
      EXPECT_EQ(counted, in_turn);
    }
  }
}

RC_GTEST_PROP(Components, MatchTheDefinition, ()) {
  const BucketWorld world = random_world();
  const std::vector<VerifiedPair> pairs = pairs_of(world);
  const auto is_pair = [&](std::size_t a, std::size_t b) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const VerifiedPair& pair) { return pair.left == a && pair.right == b; });
  };
  const Clusters clusters = component_clusters(world.items, all_of(pairs));
  RC_ASSERT(survivors(clusters) == reference::components(world.items, is_pair));
  for (Place item = 0; item < world.items; ++item) {
    const Place survivor = clusters.survivor[item];
    const bool direct = survivor != item && is_pair(survivor, item);
    const Overlap expected = direct ? Overlap{survivor + 1, survivor + item + 1} : Overlap{};
    RC_ASSERT(clusters.overlap[item] == expected);
  }
}

TEST(Components, FixedItemsSurviveAndTheirGroupsAreNotCounted) {
  const std::vector<VerifiedPair> pairs = {{0, 2, {1, 2}}, {1, 2, {1, 3}}, {3, 4, {1, 4}}};
  const Clusters clusters = component_clusters(5, all_of(pairs), 2);
  EXPECT_EQ(survivors(clusters), (std::vector<std::size_t>{0, 1, 0, 3, 3}));
  ThreadPool pool(2, nullptr);
  Buckets buckets;
  buckets.members = {0, 2, 1, 2, 3, 4};
  buckets.starts = {0, 2, 4, 6};
  EXPECT_EQ(count_components(buckets, 6, pool, 2), 2U);  // {3, 4} and {5}
}

TEST(Components, AreTheSameWhoeverLinks) {
  constexpr Place kItems = 20'000;
  ThreadPool pool(4, nullptr);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::pair<Place, Place>> links;
    for (std::uint64_t i = 0; i < kItems; ++i) {
      links.emplace_back(mix64(seed << 32 | 2 * i) % kItems,
                         mix64(seed << 32 | (2 * i + 1)) % kItems);
    }
    Components one(kItems);
    for (const auto& [left, right] : links) one.link(left, right);
    Components many(kItems);
    pool.for_each(links.size() / 10, [&](unsigned /*worker*/, std::size_t share) {
      for (std::size_t i = 10 * share; i < 10 * share + 10; ++i) {
        many.link(links[i].first, links[i].second);
      }
    });
    for (Place item = 0; item < kItems; ++item) ASSERT_EQ(many.root_of(item), one.root_of(item));
  }
}

TEST(Components, CountLinkedGroups) {
  ThreadPool pool(2, nullptr);
  Buckets buckets;
  EXPECT_EQ(count_components(buckets, 5, pool), 5U);
  buckets.members = {0, 1, 1, 2, 3, 4};
  buckets.starts = {0, 2, 4, 6};
  EXPECT_EQ(count_components(buckets, 6, pool), 3U);
}

}  // namespace
}  // namespace sosie
