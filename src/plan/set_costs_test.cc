#include "plan/set_costs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sosie {
namespace {

constexpr Rational kThreshold{4, 5};

// 100,000 rows of 10 elements, one in 16 of which was joined.
CollectionFacts baskets() {
  CollectionFacts facts{.rows = 100'000, .elements = 1'000'000, .whole = true, .joined_rows = 6250};
  facts.joined = {.indexed = 10'000, .length = 50'000, .verified = 300, .pairs = 100};
  return facts;
}

// Nine out of ten pairs have nothing in common; the others have a similarity of about a fifth.
SampleFacts unlike(std::uint64_t documents, std::uint64_t shingles) {
  SampleFacts sample{.documents = documents, .median_shingles = shingles};
  sample.pairs_by_similarity[0] = 900;
  sample.pairs_by_similarity[13] = 100;
  return sample;
}

SetCosts costs_of(const CollectionFacts& facts, const SampleFacts& sample, JoinUse use) {
  return set_costs(facts, sample, {kThreshold, use, choose_banding(kThreshold, 0.99, sample)});
}

TEST(SetCosts, BruteCostsTheSquareOfTheRows) {
  CollectionFacts facts = baskets();
  const double once = costs_of(facts, unlike(100'000, 10), JoinUse::every_pair).brute;
  facts.rows *= 2;
  facts.elements *= 2;
  const double twice = costs_of(facts, unlike(200'000, 10), JoinUse::every_pair).brute;
  EXPECT_NEAR(twice / once, 4, 0.1);
}

TEST(SetCosts, LongPostingListsSpeakAgainstExact) {
  CollectionFacts facts = baskets();
  const SetCosts rare = costs_of(facts, unlike(100'000, 10), JoinUse::every_pair);
  EXPECT_LT(rare.exact, rare.lsh);
  facts.joined.length *= 200;
  const SetCosts common = costs_of(facts, unlike(100'000, 10), JoinUse::every_pair);
  EXPECT_GT(common.exact, common.lsh);
  EXPECT_EQ(common.lsh, rare.lsh);
}

TEST(SetCosts, LongSetsSpeakForLsh) {
  CollectionFacts facts = baskets();
  facts.rows = 10'000;
  facts.elements = 5'000'000;
  facts.joined_rows = 1000;
  const SetCosts costs = costs_of(facts, unlike(10'000, 500), JoinUse::survivors);
  EXPECT_LT(costs.lsh, costs.exact);
  EXPECT_LT(costs.lsh, costs.brute);
}

TEST(SetCosts, ManySimilarPairsCostLshLessWhereOnlySurvivorsAreLookedFor) {
  CollectionFacts facts = baskets();
  facts.joined.pairs = 10'000;
  const SetCosts pairs = costs_of(facts, unlike(100'000, 10), JoinUse::every_pair);
  const SetCosts dedup = costs_of(facts, unlike(100'000, 10), JoinUse::survivors);
  EXPECT_LT(dedup.lsh, pairs.lsh / 2);
  EXPECT_EQ(dedup.exact, pairs.exact);
}

TEST(SetCosts, OnlyPairsBetweenTwoCollectionsCount) {
  CollectionFacts facts = baskets();
  facts.other_rows = 99'000;
  const SetCosts across = costs_of(facts, unlike(100'000, 10), JoinUse::every_pair);
  facts.other_rows = 0;
  const SetCosts within = costs_of(facts, unlike(100'000, 10), JoinUse::every_pair);
  EXPECT_NEAR((within.brute - 0.18) / (across.brute - 0.18), 50.5, 0.1);  // .18 s for rows alone
  EXPECT_LT(across.exact, within.exact);
  EXPECT_LT(across.lsh, within.lsh);
}

TEST(SetCosts, ExactIsNotTakenForMoreThanFitsIntoTheLeastMemory) {
  CollectionFacts facts = baskets();
  facts.elements = kMostElementsOfAuto + 1;
  const SetCosts many = costs_of(facts, unlike(100'000, 60), JoinUse::every_pair);
  EXPECT_TRUE(std::isinf(many.exact));
  EXPECT_TRUE(std::isinf(many.brute));
  EXPECT_FALSE(std::isinf(many.lsh));
  facts = baskets();
  facts.joined.pairs = 100'000;  // pairs of 6250 rows: 25 million of all
  EXPECT_TRUE(std::isinf(costs_of(facts, unlike(100'000, 10), JoinUse::every_pair).exact));
}

TEST(SetCosts, CopiesAreNeitherIndexedNorCompared) {
  const CollectionFacts all = baskets();
  CollectionFacts copied = all;
  copied.copied_rows = 90'000;
  copied.copied_elements = 900'000;
  const SampleFacts sample = unlike(100'000, 10);
  const SetCosts distinct = costs_of(all, sample, JoinUse::survivors);
  const SetCosts costs = costs_of(copied, sample, JoinUse::survivors);
  EXPECT_LT(costs.exact, distinct.exact / 2);
  EXPECT_NEAR(costs.brute, distinct.brute / 90, distinct.brute / 400);
  EXPECT_GT(costs.lsh, distinct.lsh / 2);  // every row is hashed
}

TEST(SetCosts, OfFewRowsEveryPairIsFound) {
  CollectionFacts facts{.rows = 900, .elements = 9000, .whole = true, .few = true};
  facts.joined_rows = 128;
  const SetCosts costs = costs_of(facts, unlike(900, 10), JoinUse::survivors);
  EXPECT_TRUE(std::isinf(costs.lsh));
  EXPECT_FALSE(std::isinf(costs.brute));
  EXPECT_FALSE(std::isinf(costs.exact));
}

TEST(SetCosts, WhatIsCheapestWithoutAJoinIsCheapestAfterAnyJoin) {
  int sure = 0;
  for (const std::uint64_t rows : {2'000U, 20'000U, 200'000U}) {
    for (const std::uint64_t mean : {3U, 10U, 30U, 100U, 300U, 1000U}) {
      CollectionFacts facts{.rows = rows, .elements = rows * mean, .whole = true};
      facts.joined_rows = rows / 16;
      const SampleFacts sample = unlike(rows, mean);
      const BandingPlan banding = choose_banding(kThreshold, 0.99, sample);
      EXPECT_EQ(is_lsh_cheapest(facts, sample, {kThreshold, JoinUse::every_pair, banding}),
                facts.elements > most_elements_of_auto(facts, banding));
      const JoinGoal goal{kThreshold, JoinUse::survivors, banding};
      if (!is_lsh_cheapest(facts, sample, goal)) continue;
      ++sure;
      for (const std::uint64_t pairs : {0U, 1U, 100U, 10'000U, 1'000'000U}) {
        facts.joined.pairs = pairs;
        facts.joined.verified = facts.joined.length = pairs;
        const SetCosts costs = set_costs(facts, sample, goal);
        EXPECT_LT(costs.lsh, costs.exact) << rows << " rows of " << mean << ", " << pairs;
        EXPECT_LT(costs.lsh, costs.brute) << rows << " rows of " << mean << ", " << pairs;
      }
    }
  }
  EXPECT_GT(sure, 3);   // it is useful
  EXPECT_LT(sure, 18);  // but not for small sets
}

TEST(SetCosts, BruteIsSureWhereFewRowsMeetMany) {
  for (const std::uint64_t mean : {20U, 60U}) {
    CollectionFacts facts{
        .rows = 64'000, .other_rows = 63'999, .elements = 64'000 * mean, .whole = true};
    const SampleFacts sample = unlike(64'000, mean);
    for (const Rational threshold : {Rational{4, 5}, Rational{1, 20}}) {
      const JoinGoal goal{threshold, JoinUse::every_pair, choose_banding(threshold, .99, sample)};
      EXPECT_TRUE(is_brute_cheapest(facts, sample, goal)) << mean;
      facts.joined_rows = 128;
      facts.joined = {.length = 8128, .verified = 8128, .pairs = 8128};
      const SetCosts costs = set_costs(facts, sample, goal);
      EXPECT_LT(costs.brute, costs.exact);
      EXPECT_LT(costs.brute, costs.lsh);
    }
  }
}

TEST(SetCosts, ManyShortRowsMayBeJoinedExactly) {
  const SampleFacts sample = unlike(2'500'000, 7);
  const BandingPlan lsh = choose_banding(kThreshold, .99, sample);
  EXPECT_GT(most_elements_of_auto({.rows = 2'500'000}, lsh), 2'500'000U * 7);
  EXPECT_EQ(most_elements_of_auto({.rows = kMostRowsOfAuto}, lsh), 0U)
      << "rows alone need more memory";
}

TEST(SetCosts, RowsThatAreLeftOutSpeakForExact) {
  constexpr std::uint64_t kRows = 5'000'000;
  constexpr std::uint64_t kMean = 20;
  CollectionFacts facts{.rows = kRows, .other_rows = 200, .elements = kRows * kMean};
  const SampleFacts sample = unlike(kRows, kMean);
  EXPECT_TRUE(std::isinf(costs_of(facts, sample, JoinUse::every_pair).exact));
  const auto with = [&](std::uint64_t kept) {
    facts.partners = {.small_elements = 200 * kMean, .rows = kept, .elements = kept * kMean};
    return costs_of(facts, sample, JoinUse::every_pair);
  };
  EXPECT_LT(with(1000).exact, with(1000).lsh / 4);
  EXPECT_LT(with(1000).exact, with(100'000).exact);
  EXPECT_TRUE(std::isinf(with(kRows / 2).exact)) << "what is kept does not fit";
}

TEST(SetCosts, WhereNoBandingWillDoOtherMethodsAreTaken) {
  const CollectionFacts facts{.rows = 10'000'000, .elements = 1'000'000'000};
  const SetCosts costs = set_costs(facts, {}, {{1, 10'000}, JoinUse::every_pair, {}});
  EXPECT_TRUE(std::isinf(costs.lsh));
  EXPECT_FALSE(std::isinf(costs.exact));
}

TEST(SetCosts, NoRowsCostNothing) {
  const CollectionFacts none{.whole = true, .few = true};
  const SetCosts costs = costs_of(none, SampleFacts{}, JoinUse::survivors);
  EXPECT_EQ(costs.brute, 0);
  EXPECT_EQ(costs.exact, 0);
}

}  // namespace
}  // namespace sosie
