#include "cluster/contained_star.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "verify/measures.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;

const Measure kContainment = *set_measure("containment");

// All pairs that reach t in at least one direction.
std::vector<VerifiedPair> pairs_of(const std::vector<Set>& sets, const Rational& t,
                                   const Measure& measure) {
  std::vector<VerifiedPair> pairs;
  for (Place i = 0; i < sets.size(); ++i) {
    for (Place j = i + 1; j < sets.size(); ++j) {
      const Overlap overlap = measure.overlap(sets[i], sets[j]);
      if (measure.reaches(overlap, t)) pairs.push_back({i, j, overlap});
    }
  }
  return pairs;
}

Clusters star_of(const std::vector<Set>& sets, const Rational& t, Place fixed = 0,
                 const Measure& measure = kContainment, bool by_rank = false) {
  Scratch scratch("/tmp");
  const std::vector<VerifiedPair> listed = pairs_of(sets, t, measure);
  const PairSource pairs = all_of(listed);
  return contained_star({.items = static_cast<Place>(sets.size()),
                         .pairs = pairs,
                         .measure = measure,
                         .threshold = t,
                         .fixed = fixed,
                         .by_rank = by_rank,
                         .scratch = scratch,
                         .sort_bytes = std::uint64_t{1} << 20});
}

TEST(ContainedStar, RemovesTheContainedOneWhateverItsRank) {
  const Rational t{3, 4};
  const std::vector<Set> sets = {{1, 2, 3, 9}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2}};
  const Clusters clusters = star_of(sets, t);
  EXPECT_EQ(clusters.survivor, (std::vector<Place>{1, 1, 1}));
  EXPECT_EQ(clusters.overlap[0], (Overlap{3, 9, 4}));
  EXPECT_EQ(clusters.overlap[2], (Overlap{2, 8, 2}));
}

TEST(ContainedStar, KeepsTheBestRankedOfItemsThatContainEachOther) {
  const Rational t{3, 4};
  const std::vector<Set> sets = {{1, 2, 3, 4}, {1, 2, 3, 4, 5}, {1, 2, 3}};
  EXPECT_EQ(star_of(sets, t).survivor, (std::vector<Place>{1, 1, 1}));
  EXPECT_EQ(star_of(sets, t, 0, kContainment, true).survivor, (std::vector<Place>{0, 0, 0}));
}

TEST(ContainedStar, LetsAnItemWaitForThoseThatContainItWhateverTheirRank) {
  const Rational t{3, 4};
  // Set 0 is contained only in {1, 2, 3, 4}, which is similar to {2, 3, 4, 5} in both directions.
  const std::vector<Set> sets = {{1, 2}, {1, 2, 3, 4}, {2, 3, 4, 5}, {7, 8}};
  EXPECT_EQ(star_of(sets, t, 0, kContainment, true).survivor, (std::vector<Place>{1, 1, 1, 3}));
  const std::vector<Set> turned = {{1, 2}, {2, 3, 4, 5}, {1, 2, 3, 4}};
  EXPECT_EQ(star_of(turned, t, 0, kContainment, true).survivor, (std::vector<Place>{0, 1, 1}));
}

TEST(ContainedStar, NeverRemovesAFixedItemNorForOneThatItContains) {
  const Rational t{1, 1};
  const std::vector<Set> sets = {{1, 2}, {1, 2, 3}, {1}};
  const Clusters clusters = star_of(sets, t, 1);
  EXPECT_EQ(clusters.survivor, (std::vector<Place>{0, 1, 0}));
}

RC_GTEST_PROP(ContainedStar, VerifiesEveryRemovalAndLeavesNoSurvivorInAnother, ()) {
  const auto drawn = *rc::gen::container<std::vector<std::uint32_t>>(
      rc::gen::inRange<std::uint32_t>(1, 256));  // bits: the elements
  std::vector<Set> sets(drawn.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      if ((drawn[i] >> bit & 1) != 0) sets[i].push_back(bit);
    }
  }
  const auto den = *rc::gen::inRange<std::uint64_t>(1, 6);
  const Rational t{*rc::gen::inRange<std::uint64_t>(1, den + 1), den};
  const auto items = static_cast<Place>(sets.size());
  const auto fixed = *rc::gen::inRange<Place>(0, items + 1);
  const Measure measure =
      *set_measure(*rc::gen::element("containment", "tversky:0.2,0.9", "tversky:2,1/3"));
  const bool by_rank = *rc::gen::arbitrary<bool>();
  const Clusters clusters = star_of(sets, t, fixed, measure, by_rank);
  const auto is_in = [&](Place a, Place b) {
    return measure.left_reaches(measure.overlap(sets[a], sets[b]), t);
  };
  for (Place p = 0; p < items; ++p) {
    const Place survivor = clusters.survivor[p];
    RC_ASSERT(clusters.survivor[survivor] == survivor);
    if (p < fixed) RC_ASSERT(survivor == p);
    if (survivor != p) {
      RC_ASSERT(is_in(p, survivor));
      RC_ASSERT(clusters.overlap[p] == measure.overlap(sets[p], sets[survivor]));
    }
    for (Place q = 0; q < items; ++q) {
      const bool both_stay = survivor == p && clusters.survivor[q] == q && p != q && p >= fixed;
      if (both_stay) RC_ASSERT(!is_in(p, q));
    }
  }
}

}  // namespace
}  // namespace sosie
