// Tests that judgements scale the odds of a model, but by no more than the evidence supports.
#include "plan/odds_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sosie {
namespace {

JudgedOdds judged_at(double bits, bool is_match) { return {bits, {}, {}, is_match}; }

// Pairs with odds of 1/4, in groups of eight with `matches` matches each.
std::vector<JudgedOdds> eights_of(int eights, int matches) {
  std::vector<JudgedOdds> judged;
  for (int i = 0; i < 8 * eights; ++i) judged.push_back(judged_at(-2, i % 8 < matches));
  return judged;
}

TEST(OddsScale, IsNoneWithoutJudgements) {
  EXPECT_EQ(fit_odds_scale({}, true).scale, OddsScale{});
  EXPECT_EQ(fit_odds_scale({}, true).loss, 0);
}

TEST(OddsScale, FindsTheShiftThatManyJudgementsHave) {
  EXPECT_NEAR(fit_odds_scale(eights_of(100, 4), false).scale.shift, 2, 0.25);
  EXPECT_NEAR(fit_odds_scale(eights_of(100, 2), false).scale.shift, std::log2(4.0 / 3), 0.25);
}

TEST(OddsScale, StaysNearTheModelForFewJudgements) {
  const double shift = fit_odds_scale(std::vector{judged_at(-2, true)}, false).scale.shift;
  EXPECT_GT(shift, 0);
  EXPECT_LT(shift, 4);
}

TEST(OddsScale, IsNotMovedByASlipAmongMany) {
  std::vector<JudgedOdds> judged;
  for (int i = 0; i < 50; ++i) judged.push_back(judged_at(10, true));
  for (int i = 0; i < 50; ++i) judged.push_back(judged_at(-10, false));
  judged.push_back(judged_at(-14, true));
  EXPECT_NEAR(fit_odds_scale(judged, false).scale.shift, 0, 3);
}

TEST(OddsScale, BendsOddsThatAreTooSure) {
  std::vector<JudgedOdds> judged;
  for (int i = 0; i < 300; ++i) {
    judged.push_back(judged_at(8, i % 5 != 0));   // 4 : 1 although the model says 256 : 1
    judged.push_back(judged_at(-8, i % 5 == 0));  // and vice versa
  }
  EXPECT_LT(fit_odds_scale(judged, true).scale.slope, 0.5);
  EXPECT_EQ(fit_odds_scale(judged, false).scale.slope, 1);
}

TEST(OddsScale, CountsRivalsForAPartner) {
  std::vector<JudgedOdds> alone(40, judged_at(-1, true));
  std::vector<JudgedOdds> rivalled = alone;
  for (JudgedOdds& pair : rivalled) pair.of_left = {-1, 2};
  EXPECT_GT(fit_odds_scale(rivalled, false).loss, fit_odds_scale(alone, false).loss + 40);
}

}  // namespace
}  // namespace sosie
