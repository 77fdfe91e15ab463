#include "decide/ranked_components.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "join/items_test.h"

namespace sosie {
namespace {

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
