#include <gtest/gtest.h>

#include <algorithm>

#include "core/hash64.h"
#include "corpus/shown_text.h"
#include "decide/audit_interval.h"
#include "join/candidate_rule.h"
#include "plan/s_curve.h"

namespace sosie {
namespace {

std::vector<PairTally> tallies(std::size_t documents, std::uint64_t pairs, std::uint64_t found) {
  return std::vector<PairTally>(documents, PairTally{pairs, found});
}

TEST(AuditInterval, OfNoPairsSaysNothing) {
  ThreadPool pool(1, nullptr);
  const RecallEstimate estimate = estimate_recall(tallies(10, 0, 0), 1, pool);
  EXPECT_EQ(estimate.true_pairs, 0U);
  EXPECT_EQ(estimate.low, 0);
  EXPECT_EQ(estimate.high, 1);
}

// Wilson's interval for 100 of 100: [100 / (100 + z^2), 1].
TEST(AuditInterval, OfASampleWithoutAMissDoesNotPromiseThatThereIsNone) {
  ThreadPool pool(1, nullptr);
  const RecallEstimate estimate = estimate_recall(tallies(100, 1, 1), 1, pool);
  EXPECT_EQ(estimate.recall, 1);
  EXPECT_EQ(estimate.high, 1);
  EXPECT_NEAR(estimate.low, 100 / (100 + 1.96 * 1.96), 1e-4);
}

TEST(AuditInterval, TakesAGroupForLittleMoreThanOneDocument) {
  ThreadPool pool(1, nullptr);
  std::vector<PairTally> one_group = tallies(100, 1, 1);
  one_group.front() = {10'000, 10'000};
  EXPECT_LT(estimate_recall(one_group, 1, pool).low, 0.3);
}

TEST(AuditInterval, DoesNotDependOnThreads) {
  ThreadPool one(1, nullptr);
  ThreadPool four(4, nullptr);
  std::vector<PairTally> documents;
  for (std::uint64_t i = 0; i < 300; ++i) documents.push_back({i % 7, i % 7 / 2});
  const RecallEstimate a = estimate_recall(documents, 5, one);
  const RecallEstimate b = estimate_recall(documents, 5, four);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_LT(a.low, a.recall);
  EXPECT_GT(a.high, a.recall);
}

// A law: of many samples about 95 % of the intervals cover the truth; 200 draws, 3 errors of 1.5 %.
TEST(AuditInterval, CoversTheTrueRecallAsOftenAsItSays) {
  constexpr std::uint64_t kDraws = 200;
  constexpr double kRecall = 0.9;
  ThreadPool pool(1, nullptr);
  std::uint64_t covered = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    std::vector<PairTally> documents;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const bool found = random64(draw, i) < static_cast<std::uint64_t>(kRecall * 0x1p64);
      documents.push_back({3, found ? 3U : 0U});
    }
    const RecallEstimate estimate = estimate_recall(documents, draw, pool);
    covered += estimate.low <= kRecall && kRecall <= estimate.high ? 1U : 0U;
  }
  EXPECT_GE(covered, kDraws * 90 / 100);
  EXPECT_LT(covered, kDraws);
}

// T-4.4 for the rule that audits: pairs of similarity 1/3 become candidates as the S-curve says.
TEST(CandidateRule, FollowsTheSCurve) {
  constexpr int kTrials = 2000;
  const BandingPlan plan{.components = 64, .bands = 8, .rows = 3, .filter_agreements = 0};
  int accepted = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    std::vector<std::uint64_t> left;
    std::vector<std::uint64_t> right;
    for (std::uint64_t i = 0; i < 300; ++i) {
      const std::uint64_t shingle = random64(trial + 1000, i);
      if (i < 200) left.push_back(shingle);
      if (i < 100 || i >= 200) right.push_back(shingle);
    }
    CandidateSketcher sketcher(plan, trial, SketchKind::permfill);
    CandidateSketch sketches[2];
    sketcher.sketch(left, sketches[0]);
    sketcher.sketch(right, sketches[1]);
    accepted += agreement_of(sketches[0], sketches[1]).accepted_by(plan) ? 1 : 0;
  }
  const double expected = candidate_probability(1.0 / 3, plan.bands, plan.rows);
  EXPECT_NEAR(static_cast<double>(accepted) / kTrials, expected, 0.04);
}

TEST(ShownText, WritesOutWhatCouldSteerATerminal) {
  EXPECT_EQ(shown_text("a\x1b[31mb\x7f", 80), "a\\x1b[31mb\\x7f");
  EXPECT_EQ(shown_text("\xC2\x9B"
                       "31m",
                       80),
            "\\xc2\\x9b31m");
  EXPECT_EQ(shown_text("\x9B"
                       "31m",
                       80),
            "\\x9b31m");
  EXPECT_EQ(shown_text("a\u202Eb\u2066", 80), "a\\u202eb\\u2066");
  EXPECT_EQ(shown_text("one\ttwo\r\nthree", 80), "one two  three");
  EXPECT_EQ(shown_text("\uFFFD", 80), "\uFFFD");
}

TEST(ShownText, CutsBetweenCharactersAndSaysSo) {
  EXPECT_EQ(shown_text("\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9\u00e9\u00e9\u00e9");
  EXPECT_EQ(shown_text("\u00e9\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9...");
  EXPECT_EQ(shown_text("", 4), "");
}

}  // namespace
}  // namespace sosie
