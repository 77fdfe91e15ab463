#include "decide/ranked_star.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
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

// A star over pairs of neighbours in a list, and the number of places in each requested join.
struct StarOfList {
  RankedClusters clusters;
  std::vector<std::size_t> joined;
};

StarOfList star_of_list(Place places, const std::vector<std::pair<Place, Place>>& pairs,
                        bool wholes_cost_less) {
  StarOfList star;
  const auto answer = [&](std::span<const Place> lefts, std::span<const Place> rights,
                          const EachPairs& each) -> std::uint64_t {
    if (rights.empty()) return 0;
    star.joined.push_back(lefts.data() == rights.data() ? lefts.size()
                                                        : lefts.size() + rights.size());
    const auto position = [](std::span<const Place> some, Place place) -> std::optional<Place> {
      const auto at = std::lower_bound(some.begin(), some.end(), place);
      if (at == some.end() || *at != place) return std::nullopt;
      return static_cast<Place>(at - some.begin());
    };
    std::vector<ValuedPair> found;
    for (const auto& [better, worse] : pairs) {
      const bool is_within = lefts.data() == rights.data();
      const auto left = position(lefts, is_within ? better : worse);
      const auto right = position(rights, is_within ? worse : better);
      if (left && right) found.push_back({*left, *right, 1});
    }
    std::sort(found.begin(), found.end(), [](const ValuedPair& a, const ValuedPair& b) {
      return std::pair(a.left, a.right) < std::pair(b.left, b.right);
    });
    each(found);
    return found.size();
  };
  RankedStarSteps steps;
  steps.growth = 8;
  steps.most_at_once = kNoPlace;
  steps.wholes_cost_less = wholes_cost_less;
  steps.between = answer;
  steps.within = [&](std::span<const Place> some, const EachPairs& each) {
    return answer(some, some, each);
  };
  const ThreadPool pool(1, nullptr);
  star.clusters = ranked_star(places, 0, pool, steps);
  return star;
}

TEST(RankedStar, JoinsPlacesOfFewPairsOnce) {
  constexpr Place kPlaces = 40'000;
  std::vector<std::pair<Place, Place>> pairs;
  for (Place place = 1; place < kPlaces; place += 2) pairs.emplace_back(place - 1, place);
  for (Place place = 3; place + 500 < kPlaces; place += 7) pairs.emplace_back(place, place + 500);
  const StarOfList whole = star_of_list(kPlaces, pairs, true);
  ASSERT_EQ(whole.joined.size(), 3);  // two samples, then all places
  EXPECT_LT(whole.joined[1], kPlaces / 8);
  EXPECT_LE(std::accumulate(whole.joined.begin(), whole.joined.end(), std::size_t{0}),
            kPlaces * 9 / 8);
  const StarOfList batches = star_of_list(kPlaces, pairs, false);
  EXPECT_GT(std::accumulate(batches.joined.begin(), batches.joined.end(), std::size_t{0}),
            kPlaces * 3 / 2);
  EXPECT_EQ(whole.clusters.survivor, batches.clusters.survivor);
}

// If these were joined as a whole, every row would form a pair with every other one.
TEST(RankedStar, JoinsNearCopiesOfFewItemsByBatches) {
  constexpr Place kPlaces = 40'000;
  std::vector<std::pair<Place, Place>> pairs;
  for (Place place = 20'000; place < kPlaces; ++place) {
    for (Place other = 20'000; other < place; other += 400) pairs.emplace_back(other, place);
  }
  const StarOfList star = star_of_list(kPlaces, pairs, true);
  EXPECT_GT(star.joined.size(), 6);
  EXPECT_EQ(star.clusters.survivor, star_of_list(kPlaces, pairs, false).clusters.survivor);
}

TEST(RankedStar, DrawsFewPlacesThatAreAllAlike) {
  constexpr Place kPlaces = 20'000;
  std::vector<std::pair<Place, Place>> pairs;
  for (Place place = 1; place < kPlaces; ++place) {
    for (Place other = place > 50 ? place - 50 : 0; other < place; ++other) {
      pairs.emplace_back(other, place);
    }
  }
  const StarOfList star = star_of_list(kPlaces, pairs, true);
  EXPECT_LT(star.joined[1], 1'024);  // a batch, not the large sample
  EXPECT_EQ(star.clusters.survivor, star_of_list(kPlaces, pairs, false).clusters.survivor);
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
  // The places 0 and 1 are fixed, so their pair is ignored.
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
