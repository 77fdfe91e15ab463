// Tests judging a result by labels for some of its pairs.
#include "decide/label_estimate.h"

#include <gtest/gtest.h>

#include <vector>

namespace sosie {
namespace {

// 200 links, all of which the model considers matches, and 100 other pairs, which it considers
// non-matches. 60 labels are on links and 40 on other pairs; the arguments give the number of
// matches among each.
std::vector<LabelStratum> links_and_others(double linked_matches, double other_matches) {
  return {{200, 198, 60, linked_matches, 140, 0, true}, {100, 1, 40, other_matches, 0, 60, true}};
}

TEST(LabelEstimate, AgreesWithAModelThatLabelsAgreeWith) {
  const LabelEstimate found = estimate_by_labels(links_and_others(60, 0), {60, 0, 0});
  EXPECT_GT(found.f1, 0.99);
  EXPECT_LT(found.error, 0.02);
  EXPECT_TRUE(found.is_covered);
}

TEST(LabelEstimate, FollowsLabelsWhereTheModelIsWrong) {
  const LabelEstimate found = estimate_by_labels(links_and_others(30, 10), {30, 0, 10});
  EXPECT_NEAR(found.precision, (30 + 0.53 * 140) / 170, 0.02);  // a label of 0 removes a link
  EXPECT_NEAR(found.recall, (30 + 0.53 * 140) / (30 + 0.53 * 140 + 10 + 0.23 * 60), 0.02);
}

TEST(LabelEstimate, IsUnsureOfFewLabels) {
  std::vector<LabelStratum> few = links_and_others(3, 0);
  few[0].labelled = 4;
  EXPECT_GT(estimate_by_labels(few, {3, 0, 0}).error, 0.05);
  EXPECT_FALSE(estimate_by_labels(few, {3, 0, 0}).is_covered);
}

TEST(LabelEstimate, BelievesAModelOfPairsThatAreNobodysBest) {
  // 100,000 pairs, among which the model expects one match in total.
  std::vector<LabelStratum> strata = links_and_others(60, 0);
  strata.push_back({100'000, 1, 10, 0, 0, 99'990, false});
  EXPECT_LT(estimate_by_labels(strata, {60, 0, 0}).matches, 210);
  strata.back().is_doubted = true;
  strata.back().matches = 1;
  EXPECT_GT(estimate_by_labels(strata, {60, 0, 0}).matches, 5000);
}

TEST(LabelEstimate, OfNothingIsWhole) {
  const LabelEstimate found = estimate_by_labels({}, {});
  EXPECT_EQ(found.f1, 1);
  EXPECT_EQ(found.error, 0);
}

}  // namespace
}  // namespace sosie
