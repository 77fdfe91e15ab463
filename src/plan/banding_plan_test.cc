#include "plan/banding_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "plan/banding_cost.h"
#include "plan/candidate_probability.h"
#include "plan/false_pairs.h"
#include "reference/banding.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr Rational kFourFifths{4, 5};

// A sample of unrelated documents, with `partners` of a thousand pairs in one bin.
SampleFacts sample_of(std::uint64_t documents, std::uint64_t shingles, std::size_t bin = 0,
                      std::uint64_t partners = 0) {
  SampleFacts sample;
  sample.documents = documents;
  sample.median_shingles = shingles;
  sample.pairs_by_similarity[0] = 1000 - partners;
  sample.pairs_by_similarity[bin] += partners;
  return sample;
}

double reference_recall(const BandingPlan& plan, double s) {
  return (1 - reference::banding_miss(s, plan.bands, plan.rows)) *
         (1 - reference::filter_miss(s, plan.components, plan.filter_agreements));
}

ErrorKind kind_of(auto action, std::string* hint = nullptr) {
  try {
    action();
  } catch (const Error& error) {
    if (hint != nullptr) *hint = error.hint();
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::cancelled;
}

TEST(BandingPlan, PinnedChoices) {
  EXPECT_EQ(choose_banding(kFourFifths, .99, {}), (BandingPlan{128, 16, 6, 88}));
  EXPECT_EQ(choose_banding(kFourFifths, .99, sample_of(13'000, 400)),
            (BandingPlan{128, 16, 6, 88}));
  EXPECT_EQ(choose_banding(kFourFifths, .999, {}), (BandingPlan{128, 18, 5, 85}));
  EXPECT_EQ(choose_banding({1, 2}, .99, {}), (BandingPlan{256, 37, 3, 104}));
  EXPECT_EQ(choose_banding({1, 1}, .99, {}), (BandingPlan{64, 1, 64, 64}));
}

TEST(BandingPlan, ReachesTheRecallWithinTheSignature) {
  EXPECT_TRUE(rc::check([] {
    const Rational threshold{*rc::gen::inRange<std::uint64_t>(50, 1001), 1000};
    const double recall = 1 - *rc::gen::inRange(1, 5001) / 10'000.0;
    const auto sample = sample_of(
        *rc::gen::inRange<std::uint64_t>(0, 100'000), *rc::gen::inRange<std::uint64_t>(0, 20'000),
        *rc::gen::inRange<std::size_t>(0, 65), *rc::gen::inRange<std::uint64_t>(0, 100));
    const BandingPlan plan = choose_banding(threshold, recall, sample);
    RC_ASSERT(plan.bands * plan.rows <= plan.components);
    RC_ASSERT((plan.components & (plan.components - 1)) == 0);
    RC_ASSERT(plan.components >= kMinComponents && plan.components <= kMaxComponents);
    RC_ASSERT(reference_recall(plan, threshold.value()) >= recall + (1 - recall) / 10 - 1e-9);
    RC_ASSERT(reference::filter_miss(threshold.value(), plan.components, plan.filter_agreements) <=
              (1 - recall) / 10 + 1e-9);
  }));
}

TEST(BandingCost, IsExactUpToTheMostThatMatters) {
  EXPECT_TRUE(rc::check([] {
    const int rows = *rc::gen::inRange(1, 17);
    const BandingPlan plan{256, *rc::gen::inRange(1, 1 + 256 / rows), rows,
                           *rc::gen::inRange(rows, 257)};
    const auto pairs = assumed_false_pairs(*rc::gen::inRange(5, 101) / 100.0);
    const double cost = banding_cost_ns(plan, 400, pairs);
    const double most = cost * *rc::gen::inRange(1, 300) / 100;
    const double told = banding_cost_ns(plan, 400, pairs, most);
    RC_ASSERT((cost <= most ? told == cost : told > most && told <= cost));
  }));
}

TEST(BandingPlan, HigherSimilarityIsFoundMoreOften) {
  EXPECT_TRUE(rc::check([] {
    const Rational threshold{*rc::gen::inRange<std::uint64_t>(5, 100), 100};
    const BandingPlan plan = choose_banding(threshold, .9, {});
    const BandingForecast now = forecast(plan, threshold, {});
    RC_ASSERT(now.recall_above >= now.recall_at_threshold);
    const BandingForecast above = forecast(plan, {threshold.num + 1, 100}, {});
    RC_ASSERT(above.recall_at_threshold >= now.recall_at_threshold);
  }));
}

TEST(BandingPlan, MoreFalsePairsNearTheThresholdNeverShrinkTheSignature) {
  int components = 0;
  for (const std::uint64_t partners : {0U, 1U, 10U, 100U, 500U}) {
    const BandingPlan plan =
        choose_banding(kFourFifths, .99, sample_of(10'000, 1000, 45, partners));
    EXPECT_GE(plan.components, components);
    components = plan.components;
  }
  EXPECT_EQ(components, 256);
}

TEST(BandingPlan, TemplatesAskForMoreRows) {
  const BandingPlan plain = choose_banding(kFourFifths, .99, sample_of(10'000, 4000));
  const BandingPlan boilerplate =
      choose_banding(kFourFifths, .99, sample_of(10'000, 4000, 20, 500));
  EXPECT_GT(boilerplate.rows, plain.rows);
}

TEST(BandingPlan, LargeSignaturesOnlyWhereNothingElseReachesTheRecall) {
  EXPECT_LE(choose_banding({1, 20}, .9999, {}).components, 256);
  EXPECT_GT(choose_banding({1, 100}, .99, {}).components, 256);
}

TEST(BandingPlan, OutOfReachSaysWhatCanBeHad) {
  std::string hint;
  EXPECT_EQ(kind_of(
                [] {
                  (void)choose_banding({1, 1000}, .99, {});
                },
                &hint),
            ErrorKind::unsupported);
  EXPECT_NE(hint.find("0.0047"), std::string::npos) << hint;
}

TEST(BandingPlan, RefusesRecallsAndThresholdsThatCannotBeMeant) {
  for (const double recall : {0.0, 1.0, -1.0, 1.5, std::nan("")}) {
    EXPECT_EQ(kind_of([&] { (void)choose_banding(kFourFifths, recall, {}); }),
              ErrorKind::invalid_option);
  }
  EXPECT_EQ(kind_of([] { (void)choose_banding({0, 1}, .9, {}); }), ErrorKind::invalid_option);
  EXPECT_EQ(kind_of([] { (void)choose_banding({3, 2}, .9, {}); }), ErrorKind::invalid_option);
}

TEST(BandingPlan, FixedBandsTakeTheLeastSignatureThatHoldsThem) {
  EXPECT_EQ(fixed_banding(14, 8, kFourFifths, .99), (BandingPlan{128, 14, 8, 88}));
  EXPECT_EQ(fixed_banding(1, 1, kFourFifths, .99).components, 64);
  EXPECT_EQ(fixed_banding(8, 16, kFourFifths, .99).components, 128);
  EXPECT_EQ(fixed_banding(43, 3, kFourFifths, .99).components, 256);
  EXPECT_EQ(fixed_banding(1024, 1, kFourFifths, .99).components, 1024);
}

TEST(BandingPlan, FixedBandsHaveLimits) {
  for (const auto& [bands, rows] :
       {std::pair{0, 5}, {5, 0}, {-1, -1}, {1025, 1}, {33, 32}, {2'000'000'000, 2'000'000'000}}) {
    EXPECT_EQ(kind_of([b = bands, r = rows] { (void)fixed_banding(b, r, kFourFifths, .99); }),
              ErrorKind::invalid_option);
  }
}

TEST(BandingForecast, CountsThePartnersThatShareABand) {
  const BandingPlan plan{128, 20, 5, 88};
  const SampleFacts sample = sample_of(1001, 400, 38, 100);
  const double similarity = 38.5 / 64;
  const double expected = 1000 * .1 * candidate_probability(similarity, 20, 5) +
                          1000 * .9 * candidate_probability(.5 / 64, 20, 5);
  EXPECT_NEAR(forecast(plan, kFourFifths, sample).false_candidates_per_document, expected, 1e-9);
  EXPECT_EQ(forecast(plan, kFourFifths, {}).false_candidates_per_document, 0);
}

TEST(BandingForecast, OfTheBinTheThresholdCutsOnlyThePartBelowCounts) {
  // 4/5 is 51.2 / 64.
  const auto pairs = sampled_false_pairs(sample_of(3, 400, 51, 1000), .8);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_NEAR(pairs[0].per_document, .2, 1e-12);
  EXPECT_NEAR(pairs[0].similarity, 51.1 / 64, 1e-12);
  EXPECT_TRUE(sampled_false_pairs(sample_of(3, 400, 52, 1000), .8).empty());
}

TEST(BandingForecast, SaysWhatTheCurveSays) {
  const BandingForecast result = forecast({128, 20, 5, 88}, kFourFifths, {});
  EXPECT_NEAR(result.recall_at_threshold, .9996, .001);
  EXPECT_NEAR(result.filter_loss, reference::filter_miss(.8, 128, 88), 1e-9);
  EXPECT_EQ(result.half_point, half_point(20, 5));
  EXPECT_NEAR(result.steepest_point, .5264, .00005);
  EXPECT_NEAR(result.steepest_slope, 3.506, .0005);
}

}  // namespace
}  // namespace sosie
