#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "cluster/components.h"
#include "cluster/star.h"
#include "reference/star.h"

namespace sosie {
namespace {

// Random buckets of ascending members, and which items are similar.
struct World {
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

World random_world() {
  World world;
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

BucketsOfItems of_items(const World& world) {
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

Clusters cluster(const World& world, unsigned threads) {
  ThreadPool pool(threads, nullptr);
  StarSteps steps;
  steps.prune = [](unsigned, Place, std::vector<Place>&) {};
  steps.first_match = [&](unsigned, Place item,
                          std::span<const Place> candidates) -> std::optional<Match> {
    for (const Place candidate : candidates) {
      if (world.similar.contains({candidate, item})) return Match{candidate, {1, 2}};
    }
    return std::nullopt;
  };
  steps.progress = [](std::size_t) {};
  return star_clusters(world.buckets, of_items(world), pool, steps);
}

RC_GTEST_PROP(Star, MatchesTheDefinition, ()) {
  const World world = random_world();
  const auto expected = reference::star(
      world.items,
      [&](std::size_t a, std::size_t b) {
        return world.share_bucket(static_cast<Place>(a), static_cast<Place>(b));
      },
      [&](std::size_t a, std::size_t b) {
        return world.similar.contains({static_cast<Place>(a), static_cast<Place>(b)});
      });
  for (const unsigned threads : {1U, 3U}) {
    const Clusters clusters = cluster(world, threads);
    RC_ASSERT(std::vector<std::size_t>(clusters.survivor.begin(), clusters.survivor.end()) ==
              expected);
  }
}

// More items than a batch, so that survivors of earlier batches and of the own one both matter.
TEST(Star, DoesNotDependOnThreadsAcrossBatches) {
  World world;
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
    steps.progress = [](std::size_t) {};
    return star_clusters(world.buckets, one, pool, steps);
  };
  const Clusters single = run(1);
  for (Place item = 0; item < world.items; ++item) {
    // Each residue's survivors stand 1,500 or a little more apart.
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

TEST(Components, CountLinkedGroups) {
  Buckets buckets;
  EXPECT_EQ(count_components(buckets, 5), 5U);
  buckets.members = {0, 1, 1, 2, 3, 4};
  buckets.starts = {0, 2, 4, 6};
  EXPECT_EQ(count_components(buckets, 6), 3U);
}

}  // namespace
}  // namespace sosie
