#include "decide/ranked_star.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "cluster/star.h"
#include "join/items_test.h"

namespace sosie {
namespace {

using PairSet = std::set<std::pair<Place, Place>>;

std::vector<ValuedPair> asked(const PairSet& pairs, std::span<const Place> lefts,
                              std::span<const Place> rights) {
  std::vector<ValuedPair> found;
  for (std::uint32_t i = 0; i < lefts.size(); ++i) {
    for (std::uint32_t j = 0; j < rights.size(); ++j) {
      const auto [less, more] = std::minmax(lefts[i], rights[j]);
      if (pairs.contains({less, more})) found.push_back({i, j, 1.0 * less});
    }
  }
  return found;
}

RankedClusters star_over(Place places, Place fixed, const PairSet& pairs, ThreadPool& pool,
                         Place growth = 2) {
  RankedStarSteps steps;
  steps.growth = growth;
  steps.between = [&](std::span<const Place> lefts, std::span<const Place> rights,
                      const EachPairs& each) {
    each(asked(pairs, lefts, rights));
    return std::uint64_t{1};
  };
  steps.within = [&](std::span<const Place> some, const EachPairs& each) {
    std::vector<ValuedPair> found = asked(pairs, some, some);
    std::erase_if(found, [](const ValuedPair& pair) { return pair.left >= pair.right; });
    each(found);
    return std::uint64_t{1};
  };
  return ranked_star(places, fixed, pool, steps);
}

TEST(RankedStar, DecidesWhatStarClusteringOfAllPairsDoes) {
  ThreadPool pool(1, nullptr);
  std::mt19937 draw(7);
  for (const Place fixed : {0U, 1U, 100U, 700U}) {
    PairSet pairs;
    std::vector<VerifiedPair> verified;
    for (int i = 0; i < 900; ++i) {
      auto left = static_cast<Place>(draw() % 700);
      auto right = static_cast<Place>(draw() % 700);
      if (left == right) continue;
      if (left > right) std::swap(left, right);
      if (!pairs.emplace(left, right).second) continue;
      verified.push_back({left, right, {1, 1}});
    }
    std::sort(verified.begin(), verified.end(), [](const VerifiedPair& a, const VerifiedPair& b) {
      return sort_key(a) < sort_key(b);
    });
    const Clusters expected = star_of_pairs(700, all_of(verified), fixed);
    const RankedClusters star = star_over(700, fixed, pairs, pool);
    EXPECT_EQ(star.survivor, expected.survivor);
    EXPECT_EQ(star_over(700, fixed, pairs, pool, 8).survivor, expected.survivor);
    EXPECT_EQ(star_over(700, fixed, pairs, pool, kNoPlace).survivor, expected.survivor);
    for (Place place = 0; place < 700; ++place) {
      if (star.survivor[place] == place) continue;
      EXPECT_EQ(star.value[place], star.survivor[place]);
    }
  }
}

TEST(RankedStar, OfNothingIsNothing) {
  ThreadPool pool(1, nullptr);
  EXPECT_TRUE(star_over(0, 0, {}, pool).survivor.empty());
}

using PairSet = std::set<std::pair<Place, Place>>;

RankedClusters components_of(Place places, Place fixed, const PairSet& pairs) {
  const auto list = [&](std::span<const Place> lefts, std::span<const Place> rights,
                        const EachPairs& each) -> std::uint64_t {
    std::vector<ValuedPair> found;
    for (std::uint32_t i = 0; i < lefts.size(); ++i) {
      for (std::uint32_t j = 0; j < rights.size(); ++j) {
        if (pairs.contains(std::minmax(lefts[i], rights[j])) && lefts[i] != rights[j]) {
          found.push_back({i, j, 1});
        }
      }
    }
    each(found);
    return found.size();
  };
  RankedStarSteps steps;
  steps.between = list;
  steps.within = [&](std::span<const Place> some, const EachPairs& each) {
    return list(some, some, each);
  };
  const ThreadPool pool(1, nullptr);
  return ranked_components(places, fixed, pool, steps, [](Place survivor, Place removed) {
    return 100.0 * survivor + removed;
  });
}

TEST(RankedComponents, ChainsOfPairsAreOneGroupOfItsBestPlace) {
  const RankedClusters found = components_of(7, 0, {{0, 3}, {3, 5}, {4, 5}, {2, 6}});
  EXPECT_EQ(found.survivor, (std::vector<Place>{0, 1, 2, 0, 0, 0, 2}));
  EXPECT_EQ(found.value, (std::vector<double>{0, 0, 0, 3, 4, 5, 206}));
}

TEST(RankedComponents, FixedPlacesSurviveAndChainOnlyOverOthers) {
  // 0 and 1 are a pair that is not asked for.
  const RankedClusters apart = components_of(5, 2, {{0, 1}, {0, 2}, {1, 3}});
  EXPECT_EQ(apart.survivor, (std::vector<Place>{0, 1, 0, 1, 4}));
  const RankedClusters over = components_of(5, 2, {{0, 2}, {1, 3}, {2, 3}, {2, 4}});
  EXPECT_EQ(over.survivor, (std::vector<Place>{0, 1, 0, 0, 0}));
}

TEST(RankedComponents, OfNothingIsNothing) {
  EXPECT_TRUE(components_of(0, 0, {}).survivor.empty());
}

}  // namespace

}  // namespace sosie
