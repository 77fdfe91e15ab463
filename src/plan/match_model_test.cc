// Tests of the model of matches, compared with models made by hand.
#include "plan/match_model.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

namespace sosie {
namespace {

// Matches are 1 % of the pairs, siblings 9 %; levels: missing, different, near, equal.
MatchModel three_classes() {
  return MatchModel({{true, 0.01, {{1, .1, .2, .7}, {1, .2, .2, .6}}},
                     {false, 0.90, {{1, .9, .09, .01}, {1, .8, .15, .05}}},
                     {false, 0.09, {{1, .2, .2, .6}, {1, .9, .08, .02}}}});
}

double by_hand(std::size_t a, std::size_t b) {
  const MatchModel model = three_classes();
  const auto of = [&](std::size_t k) {
    return model.classes()[k].share * model.classes()[k].levels[0][a] *
           model.classes()[k].levels[1][b];
  };
  return of(0) / (of(1) + of(2));
}

TEST(MatchModel, OddsAreThoseOfTheClasses) {
  const MatchModel model = three_classes();
  for (std::uint8_t a = 0; a < 4; ++a) {
    for (std::uint8_t b = 0; b < 4; ++b) {
      const std::vector<std::uint8_t> levels = {a, b};
      const double odds = model.odds_at(model.bits(levels));
      EXPECT_NEAR(odds / by_hand(a, b), 1, 1e-9);
      EXPECT_NEAR(model.probability_at(model.bits(levels)), odds / (1 + odds), 1e-12);
    }
  }
  const std::vector<std::uint8_t> nothing = {0, 0};
  EXPECT_NEAR(model.bits(nothing), 0, 1e-12);
  EXPECT_NEAR(model.odds_at(model.bits_at(0.5)), 1, 1e-9);
}

TEST(MatchModel, BitsOfFieldsSumToTheScore) {
  const MatchModel model = three_classes();
  const std::vector<Grade> grades = {{2, 0.25}, {3, 0}};
  const std::vector<double> bits = model.field_bits(grades);
  EXPECT_NEAR(std::accumulate(bits.begin(), bits.end(), 0.0), model.bits(grades), 1e-9);
}

TEST(MatchModel, PowersOfTwoAreThoseOfTheLibrary) {
  for (double x = -900; x < 900; x += 0.37) {
    EXPECT_NEAR(power_of_two(x) / std::exp2(x), 1, 1e-14);
  }
  EXPECT_EQ(power_of_two(0), 1);
  EXPECT_EQ(power_of_two(10), 1024);
}

TEST(MatchModel, AGradeLiesBetweenItsLevels) {
  const MatchModel model = three_classes();
  const auto bits = [&](double above) {
    return model.bits(std::vector<Grade>{{1, above}, {2, 0}});
  };
  EXPECT_NEAR(bits(0), model.bits(std::vector<std::uint8_t>{1, 2}), 1e-12);
  EXPECT_NEAR(bits(1), model.bits(std::vector<std::uint8_t>{2, 2}), 1e-9);
  EXPECT_LT(bits(0), bits(0.3));
  EXPECT_LT(bits(0.3), bits(0.31));
}

TEST(MatchModel, AFieldThatIsLeftOutSaysNothing) {
  const MatchModel model = three_classes().without(0);
  const double other = model.bits(std::vector<std::uint8_t>{0, 2});
  for (std::uint8_t level = 1; level < 4; ++level) {
    EXPECT_NEAR(model.bits(std::vector<std::uint8_t>{level, 2}), other, 1e-12);
  }
}

TEST(MatchModel, FieldWeightsAreThoseOfAllMatchesAndAllOthers) {
  const FieldWeights weights = three_classes().fields()[0];
  EXPECT_NEAR(weights.m[3], .7, 1e-12);
  EXPECT_NEAR(weights.u[3], (0.90 * .01 + 0.09 * .6) / 0.99, 1e-12);
  EXPECT_NEAR(weights.bits(3), std::log2(weights.m[3] / weights.u[3]), 1e-12);
  EXPECT_EQ(weights.bits(0), 0);
}

TEST(MatchModel, RareValuesAddBits) {
  FieldWeights weights{{1, .1, .2, .7}, {1, .9, .09, .01}, 0.01};
  EXPECT_NEAR(weights.frequency_bits(3, 0.0025), 2, 1e-12);
  EXPECT_NEAR(weights.frequency_bits(2, 0.0025), 1, 1e-12);
  EXPECT_EQ(weights.frequency_bits(1, 0.0025), 0);
  weights.chance = 0;
  EXPECT_EQ(weights.frequency_bits(3, 0.0025), 0);
}

RC_GTEST_PROP(MakeMonotone, RatiosDoNotFallAndSharesSumToOne, ()) {
  const std::size_t levels = *rc::gen::inRange<std::size_t>(2, 12);
  std::vector<double> shares(levels, 1);
  std::vector<double> others(levels, 1);
  double sum = 0;
  double sum_of_others = 0;
  for (std::size_t i = 1; i < levels; ++i) {
    sum += shares[i] = *rc::gen::inRange(1, 1000);
    sum_of_others += others[i] = *rc::gen::inRange(1, 1000);
  }
  for (std::size_t i = 1; i < levels; ++i) {
    shares[i] /= sum;
    others[i] /= sum_of_others;
  }
  const std::vector<double> before = shares;
  make_monotone(shares, others);
  double after = 0;
  bool was_monotone = true;
  for (std::size_t i = 1; i < levels; ++i) {
    after += shares[i];
    if (i == 1) continue;
    RC_ASSERT(shares[i] / others[i] >= shares[i - 1] / others[i - 1] * (1 - 1e-9));
    was_monotone = was_monotone && before[i] / others[i] >= before[i - 1] / others[i - 1];
  }
  RC_ASSERT(std::abs(after - 1) < 1e-9);
  for (std::size_t i = 1; was_monotone && i < levels; ++i) {
    RC_ASSERT(std::abs(shares[i] - before[i]) < 1e-9);
  }
}

// None of 100,000 pairs is expected to agree in the first field, so the fact that none does reveals
// nothing about the second field in such pairs.
TEST(JointShares, KeepWhatIsTooRareToBeCounted) {
  const std::vector<double> first = {1, 1 - 1e-9, 1e-9};  // missing, different, equal
  const std::vector<double> second = {1, 0.9, 0.1};
  std::vector<double> counts(9, 0);
  counts[1 * 3 + 1] = 90'000;
  counts[1 * 3 + 2] = 10'000;
  const std::vector<double> shares = joint_shares(counts, first, second);
  EXPECT_NEAR(shares[2 * 3 + 1] / 9e-10, 1, 0.01);
  EXPECT_NEAR(shares[2 * 3 + 2] / 1e-10, 1, 0.01);
  EXPECT_NEAR(shares[1 * 3 + 1], 0.9, 1e-4);
}

TEST(JointShares, FollowCounts) {
  const std::vector<double> half = {1, 0.5, 0.5};
  std::vector<double> counts(9, 0);
  counts[1 * 3 + 1] = 5000;
  counts[2 * 3 + 2] = 5000;
  const std::vector<double> shares = joint_shares(counts, half, half);
  EXPECT_NEAR(shares[1 * 3 + 1], 0.5, 0.001);
  EXPECT_NEAR(shares[1 * 3 + 2], 0, 0.001);
  EXPECT_GT(shares[1 * 3 + 2], 0);
  EXPECT_NEAR(shares[1 * 3 + 1] + shares[1 * 3 + 2] + shares[2 * 3 + 1] + shares[2 * 3 + 2], 1,
              1e-12);
}

// Two fields that always agree together give no more information than one of them.
TEST(MatchModel, ScaledOddsAreShiftedAndBent) {
  const MatchModel model = three_classes();
  const MatchModel scaled = model.scaled({2, 0.5});
  for (const double bits : {-6.0, 0.0, 3.0, 11.0}) {
    EXPECT_NEAR(std::log2(scaled.odds_at(bits)), 2 + std::log2(model.odds_at(bits)) / 2, 1e-9);
  }
  EXPECT_NEAR(scaled.probability_at(scaled.bits_at(0.3)), 0.3, 1e-9);
  EXPECT_EQ(scaled.without(0).scale(), scaled.scale());
  EXPECT_EQ(scaled.scaled({}).odds_at(3), model.odds_at(3));
}

}  // namespace
}  // namespace sosie
