// Tests judging an answer by labels of some of its pairs, and deciding whether it can be relied on.
#include "decide/judge_by_labels.h"

#include <gtest/gtest.h>

#include <vector>

namespace sosie {
namespace {

constexpr std::size_t kLinks = 0;
constexpr std::size_t kOthers = 1;

// 200 links, all of which the model considers matches, and 100 other pairs, which it considers
// non-matches; something else makes the run's confidence low.
LabelBasis links_and_others() {
  LabelBasis basis;
  basis.strata = {{200, 198, 200, true}, {100, 1, 0, true}};
  basis.links = 200;
  basis.expected_links = 198;
  basis.model_precision = 0.99;
  basis.model_f1 = 0.99;
  basis.estimated_f1 = 0.8;
  basis.reasons = {"a doubt"};
  return basis;
}

LabelledPair labelled(std::size_t stratum, bool is_match) {
  const bool is_linked = stratum == kLinks;
  return {stratum, is_linked ? 0.99 : 0.01, is_linked ? 20.0 : -5.0, is_linked, is_linked,
          is_match};
}

std::vector<LabelledPair> labels(std::size_t right_links, std::size_t wrong_links,
                                 std::size_t missed, std::size_t others) {
  std::vector<LabelledPair> all(right_links, labelled(kLinks, true));
  all.insert(all.end(), wrong_links, labelled(kLinks, false));
  all.insert(all.end(), missed, labelled(kOthers, true));
  all.insert(all.end(), others, labelled(kOthers, false));
  return all;
}

TEST(JudgeByLabels, ManyLabelsOfBothKindsClearTheDoubts) {
  const LabelJudgement found = judge_by_labels(links_and_others(), labels(60, 0, 0, 40));
  EXPECT_GT(found.estimate.f1, 0.99);
  EXPECT_EQ(found.confidence.estimated_f1, found.estimate.f1);
  EXPECT_FALSE(found.confidence.is_low());
}

TEST(JudgeByLabels, FewLabelsAndLabelsOfOneKindLeaveThem) {
  for (const auto& few : {labels(15, 0, 0, 10), labels(60, 0, 0, 0), labels(0, 0, 0, 40)}) {
    const LabelJudgement found = judge_by_labels(links_and_others(), few);
    EXPECT_EQ(found.confidence.reasons, std::vector<std::string>{"a doubt"});
    EXPECT_EQ(found.confidence.estimated_f1, 0.8);
  }
}

TEST(JudgeByLabels, LabelsAgainstTheModelAreAReason) {
  const LabelJudgement found = judge_by_labels(links_and_others(), labels(30, 30, 10, 30));
  ASSERT_TRUE(found.confidence.is_low());
  EXPECT_NE(found.confidence.reasons.back().find("by 100 labels, but 0.99 by the model"),
            std::string::npos)
      << found.confidence.reasons.back();
  const LabelJudgement of_one_kind = judge_by_labels(links_and_others(), labels(0, 60, 0, 0));
  EXPECT_EQ(of_one_kind.confidence.reasons.size(), 2U);
}

TEST(JudgeByLabels, ALabelThatIsFollowedMendsTheAnswer) {
  std::vector<LabelledPair> given = labels(30, 10, 5, 30);
  const LabelEstimate before = judge_by_labels(links_and_others(), given).estimate;
  for (LabelledPair& label : given) label.is_linked = label.is_match;
  const LabelEstimate after = judge_by_labels(links_and_others(), given).estimate;
  EXPECT_GT(after.precision, before.precision);
  EXPECT_GT(after.recall, before.recall);
  EXPECT_NEAR(after.matches, before.matches, 1e-9);
}

TEST(JudgeByLabels, PairsThatWereNeverScoredAreAStratum) {
  LabelBasis basis = links_and_others();
  basis.links = 300;  // 100 of them in groups, and never scored
  const double unlabelled = judge_by_labels(basis, labels(10, 0, 0, 10)).estimate.precision;
  std::vector<LabelledPair> given = labels(10, 0, 0, 10);
  given.insert(given.end(), 10, {basis.unscored(), 0, -9, true, true, false});
  EXPECT_LT(judge_by_labels(basis, given).estimate.precision, unlabelled - 0.1);
  given.resize(20);
  given.insert(given.end(), 10, {basis.apart(), 0, -9, false, false, true});
  EXPECT_LT(judge_by_labels(basis, given).estimate.recall, 0.98);
}

TEST(JudgeByLabels, ASingleColumnIsJudgedByLabelsAlone) {
  LabelBasis basis = links_and_others();
  basis.is_by_words = true;
  EXPECT_FALSE(judge_by_labels(basis, labels(60, 0, 0, 40)).confidence.is_low());
  EXPECT_EQ(judge_by_labels(basis, labels(60, 0, 0, 0)).confidence.reasons,
            std::vector<std::string>{"the 60 labels are all of one kind"});
}

}  // namespace
}  // namespace sosie
