// Tests the model of matches against models made by hand.
#include "plan/match_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sosie {
namespace {

const std::vector<std::uint32_t> kTwoLevels = {3, 3, 3};  // missing, different, equal

// Expected counts of all patterns of three fields, of a model with these shares of equal values.
PatternCounts counts_of(double pairs, double prior, const std::array<double, 3>& m,
                        const std::array<double, 3>& u) {
  PatternCounts patterns;
  patterns.patterns = LevelPatterns(3);
  for (unsigned bits = 0; bits < 8; ++bits) {
    std::array<std::uint8_t, 3> levels{};
    double of_matches = prior;
    double of_others = 1 - prior;
    for (std::size_t f = 0; f < 3; ++f) {
      const bool equal = (bits >> f & 1U) != 0;
      of_matches *= equal ? m[f] : 1 - m[f];
      of_others *= equal ? u[f] : 1 - u[f];
      levels[f] = equal ? 2 : 1;
    }
    patterns.patterns.add(levels,
                          static_cast<std::uint64_t>(pairs * (of_matches + of_others) + 0.5));
  }
  return patterns;
}

TEST(MatchModel, FindsTheModelThatMadeTheCounts) {
  const std::array<double, 3> m = {0.9, 0.8, 0.95};
  const std::array<double, 3> u = {0.1, 0.2, 0.05};
  const FittedModel fitted =
      fit_model(counts_of(1e9, 0.2, m, u), kTwoLevels, ModelStart::equal_but_one, 5000);
  EXPECT_NEAR(fitted.model.prior, 0.2, 1e-4);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_NEAR(fitted.model.fields[f].m[2], m[f], 1e-4);
    EXPECT_NEAR(fitted.model.fields[f].u[2], u[f], 1e-4);
  }
  EXPECT_NEAR(fitted.matches, 0.2 * 1e9, 1e5);
}

// Candidates of an equality rule agree in its field: random pairs say how rare that is.
TEST(MatchModel, TakesWhatOthersShareFromRandomPairs) {
  const std::array<double, 3> m = {0.9, 0.8, 0.95};
  const std::array<double, 3> u = {0.001, 0.002, 0.0005};
  const double pairs = 1e12;
  const PatternCounts all = counts_of(pairs, 1e-6, m, u);
  // Only pairs that agree in the first field are candidates.
  PatternCounts patterns{LevelPatterns(3)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i][0] == 2) patterns.patterns.add(all[i], all.patterns.count(i));
  }
  const RandomPairs random{{{1, 0.999, 0.001}, {1, 0.998, 0.002}, {1, 0.9995, 0.0005}}, pairs};
  const FittedModel fitted =
      fit_model(patterns, kTwoLevels, ModelStart::equal_but_one, 5000, &random);
  EXPECT_NEAR(fitted.matches, 0.9e6, 0.05e6);
  EXPECT_NEAR(fitted.model.prior, 0.9e-6, 0.05e-6);
  EXPECT_EQ(fitted.model.fields[1].u, random.shares[1]);
  EXPECT_NEAR(fitted.model.fields[1].m[2], m[1], 0.05);
}

// Weights and probability by hand: log2(.9/.1) + log2(.2/.8) bits, odds 1/4 · 9 · 1/4.
TEST(MatchModel, WeighsAHandMadeModel) {
  MatchModel model;
  model.prior = 0.2;
  model.fields = {{{1, 0.1, 0.9}, {1, 0.9, 0.1}}, {{1, 0.2, 0.8}, {1, 0.8, 0.2}}};
  const std::vector<std::uint8_t> levels = {2, 1};
  EXPECT_NEAR(model.bits(levels), std::log2(9) - 2, 1e-6);
  EXPECT_NEAR(model.probability(levels), 0.5625 / 1.5625, 1e-6);
  EXPECT_NEAR(model.bits_at(model.probability(levels)), model.bits(levels), 1e-6);
  EXPECT_NEAR(model.odds_at(model.bits(levels)), 0.5625, 1e-6);
}

TEST(MatchModel, AMissingValueSaysNothing) {
  MatchModel model;
  model.prior = 0.2;
  model.fields = {{{1, 0.1, 0.9}, {1, 0.9, 0.1}}};
  const std::vector<std::uint8_t> missing = {0};
  EXPECT_EQ(model.bits(missing), 0);
  EXPECT_NEAR(model.probability(missing), 0.2, 1e-12);
}

TEST(MatchModel, InventsNoClassWhereAllPairsAreAlike) {
  const std::vector<std::uint8_t> equal = {2, 2, 2};
  for (const std::vector<std::uint8_t>& levels : {equal, {1, 1, 1}}) {
    PatternCounts same{LevelPatterns(3)};
    same.patterns.add(levels, 1000);
    EXPECT_FALSE(choose_model(same, kTwoLevels).has_two_classes);
  }
  const ModelChoice none = choose_model({LevelPatterns(3)}, kTwoLevels);
  EXPECT_FALSE(none.has_two_classes);
  EXPECT_EQ(none.fitted.model.probability(equal), 0);
}

// No pair of 100,000 is expected to agree in the first field: that none does says nothing of the
// second one there.
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

// Two fields that always agree together say as much as one of them.
TEST(MatchModel, WeighsFieldsTogetherThatRepeatEachOther) {
  const std::array<double, 3> m = {0.9, 0.8, 0.95};
  const std::array<double, 3> u = {0.1, 0.2, 0.05};
  const PatternCounts three = counts_of(1e9, 0.2, m, u);
  PatternCounts four{LevelPatterns(4)};  // the last field is there twice
  for (std::size_t i = 0; i < three.size(); ++i) {
    const auto levels = three[i];
    four.patterns.add(std::array{levels[0], levels[1], levels[2], levels[2]},
                      three.patterns.count(i));
  }
  four.together = {{2, 3}};
  const std::vector<std::uint32_t> levels = {3, 3, 3, 3};
  const MatchModel model = fit_model(four, levels, ModelStart::equal_but_one, 5000).model;
  const MatchModel expected = fit_model(three, kTwoLevels, ModelStart::equal_but_one, 5000).model;
  const std::vector<std::uint8_t> equal = {2, 2, 2, 2};
  const std::vector<std::uint8_t> equal_of_three = {2, 2, 2};
  EXPECT_NEAR(model.bits(equal), expected.bits(equal_of_three), 1e-3);
  const std::vector<double> bits = model.field_bits(equal);
  EXPECT_NEAR(bits[0] + bits[1] + bits[2] + bits[3], model.bits(equal), 1e-9);
  EXPECT_NEAR(bits[3], 0, 1e-3);
  // Where one of the two is missing, the other one counts alone.
  const std::vector<std::uint8_t> missing = {2, 2, 2, 0};
  EXPECT_NEAR(model.bits(missing), expected.bits(equal_of_three), 1e-3);
}

TEST(MatchModel, HasTheWeightsOfAModelByHand) {
  const MatchModel model{0.1, {{{1, 0.1, 0.9}, {1, 0.95, 0.05}}, {{1, 0.2, 0.8}, {1, 0.9, 0.1}}}};
  const std::vector<std::uint8_t> both = {2, 2};
  EXPECT_NEAR(model.bits(both), 7.169925, 1e-6);  // log2(18) + 3
  EXPECT_NEAR(model.probability(both), 144.0 / 153, 1e-12);
  EXPECT_NEAR(model.probability_at(model.bits(both)), 144.0 / 153, 1e-9);
}

TEST(FieldWeights, AddBitsForRareValues) {
  FieldWeights weights{{1, 0.1, 0.2, 0.7}, {1, 0.9, 0.06, 0.04}};
  EXPECT_EQ(weights.frequency_bits(3, 0.001), 0);  // not asked for
  weights.chance = 0.04;
  EXPECT_NEAR(weights.frequency_bits(3, 0.01), 2, 1e-9);
  EXPECT_NEAR(weights.frequency_bits(2, 0.01), 1, 1e-9);  // a near value: half
  EXPECT_NEAR(weights.frequency_bits(3, 0.16), -2, 1e-9);
  EXPECT_EQ(weights.frequency_bits(1, 0.01), 0);
  EXPECT_EQ(weights.frequency_bits(0, 0.01), 0);
}

}  // namespace
}  // namespace sosie
