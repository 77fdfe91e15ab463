// Tests of audits: confidence intervals of a recall, and counting the pairs of sampled rows.
#include "decide/audit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "corpus/shown_text.h"
#include "decide/decide.h"
#include "decide/estimate_recall.h"
#include "join/sets/set_run_test.h"
#include "plan/candidate_probability.h"

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

// About 95 % of the intervals should cover the truth: 200 samples, with a tolerance of 3 standard
// errors of 1.5 % each.
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

TEST(AuditInterval, OfAllDocumentsIsAPoint) {
  ThreadPool pool(1, nullptr);
  AuditFacts facts;
  facts.sampled = 40;
  facts.documents = 40;
  facts.asked = 0.8;
  conclude(tallies(40, 2, 1), tallies(40, 0, 0), 1, pool, facts);
  EXPECT_EQ(facts.all.low, 0.5);
  EXPECT_EQ(facts.all.high, 0.5);
  EXPECT_EQ(facts.slice.low, 1) << "of no pairs";
  EXPECT_TRUE(facts.below_recall);
}

// The requested recall is missed only if even the upper end of the interval is below it.
TEST(AuditInterval, SpeaksOfRecallFromThirtyPairsOn) {
  ThreadPool pool(1, nullptr);
  for (const std::uint64_t documents : {29U, 30U}) {
    for (const double asked : {0.4, 0.999}) {
      AuditFacts facts;
      facts.sampled = documents;
      facts.documents = 1000;
      facts.asked = asked;
      std::vector<PairTally> half = tallies(documents, 1, 0);
      for (std::size_t i = 0; i < half.size(); i += 2) half[i].found_pairs = 1;
      conclude(half, half, 1, pool, facts);
      EXPECT_EQ(facts.enough, documents == 30);
      EXPECT_EQ(facts.below_recall, documents == 30 && asked == 0.999);
      EXPECT_LT(facts.all.low, 0.4);
      EXPECT_GT(facts.all.high, 0.6);
    }
  }
}

TEST(AuditInterval, StaysWithinZeroAndOne) {
  ThreadPool pool(1, nullptr);
  const RecallEstimate none = estimate_recall(tallies(5, 2, 0), 1, pool);
  EXPECT_EQ(none.low, 0);
  EXPECT_GT(none.high, 0);
  EXPECT_LT(none.high, 1);
  // Documents without a pair give no information, however many are sampled.
  std::vector<PairTally> few = tallies(400, 0, 0);
  few[17] = {1, 1};
  const RecallEstimate one = estimate_recall(few, 1, pool);
  EXPECT_EQ(one.recall, 1);
  EXPECT_NEAR(one.low, 1 / (1 + 1.96 * 1.96), 1e-4);
}

// The sample consists of the numbers with the lowest hashes, so a smaller sample is part of a
// larger one.
RC_GTEST_PROP(NumberDraw, AreThePrefixOfAnOrderThatTheSeedDecides, ()) {
  const auto begin = *rc::gen::inRange<std::uint32_t>(0, 50);
  const auto end = begin + *rc::gen::inRange<std::uint32_t>(0, 200);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto step = *rc::gen::inRange<std::uint32_t>(1, 4);
  const auto takes_part = [&](std::uint32_t number) { return number % step == 0; };
  std::vector<std::uint32_t> last;
  for (std::uint64_t count = 0; count < 40; ++count) {
    const auto drawn = draw_numbers(begin, end, takes_part, count, seed);
    RC_ASSERT(std::is_sorted(drawn.begin(), drawn.end()));
    RC_ASSERT(std::includes(drawn.begin(), drawn.end(), last.begin(), last.end()));
    for (const std::uint32_t number : drawn) {
      RC_ASSERT(number >= begin && number < end && takes_part(number));
    }
    std::uint64_t there = 0;
    for (std::uint32_t number = begin; number < end; ++number) there += takes_part(number) ? 1 : 0;
    RC_ASSERT(drawn.size() == std::min(count, there));
    last = drawn;
  }
}

TEST(NumberDraw, AreEachDrawnAboutAsOften) {
  std::vector<int> drawn(100);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const auto number : draw_numbers(
             0, 100, [](auto) { return true; }, 10, seed)) {
      ++drawn[number];
    }
  }
  // 200 expected, standard deviation 13.4.
  EXPECT_GT(*std::min_element(drawn.begin(), drawn.end()), 200 - 60);
  EXPECT_LT(*std::max_element(drawn.begin(), drawn.end()), 200 + 60);
}

// A true pair counts as found if and only if the run lists it; an audit of all rows gives the exact
// values for all pairs.
RC_GTEST_PROP(Audit, OfAllRowsCountsTheTrueAndTheListedPairs, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  TestTexts texts{random_texts(seed, *rc::gen::inRange<std::size_t>(1, 50))};
  if (*rc::gen::arbitrary<bool>()) texts.against = random_texts(seed, 9);
  const Rational threshold =
      *rc::gen::element(Rational{1, 2}, Rational{3, 5}, Rational{19, 20}, Rational{1, 1});
  OptionTexts given = {{"threshold", fmt::format("{}/{}", threshold.num, threshold.den)},
                       {"audit", "1000"},
                       {"method", *rc::gen::element<std::string>("brute", "lsh")}};
  if (given.back().second == "lsh") given.emplace_back("bands", "2x2");
  TextRun pairs(kPairs, texts, given);
  pairs.run->prepare();
  const auto listed = pairs.run->similar_rows("comparing");

  // Rows of the run that are members of pairs.
  const std::size_t others = texts.against.size();
  const std::uint64_t ends = others > 0 ? 1 : 2;
  const auto& partners = others > 0 ? texts.against : texts.own;
  std::uint64_t all = 0;
  std::uint64_t in_slice = 0;
  for (std::size_t a = 0; a < texts.own.size(); ++a) {
    for (std::size_t b = 0; b < partners.size(); ++b) {
      if (others == 0 && a == b) continue;
      if (!are_similar(texts.own[a], partners[b], threshold)) continue;
      ++all;
      const Rational end{20 * threshold.num + threshold.den, 20 * threshold.den};
      in_slice += are_similar(texts.own[a], partners[b], end) ? 0 : 1;
    }
  }

  const AuditFacts facts = audit_pairs(*pairs.run, *listed);
  const auto empty = std::count(texts.own.begin(), texts.own.end(), "");
  RC_ASSERT(facts.sampled == texts.own.size() - static_cast<std::size_t>(empty));
  RC_ASSERT(facts.documents == facts.sampled);
  RC_ASSERT(facts.all.true_pairs == all);
  RC_ASSERT(facts.all.found_pairs == listed->count() * ends);
  RC_ASSERT(facts.slice.true_pairs == in_slice);
  RC_ASSERT(facts.slice.found_pairs <= in_slice);
  RC_ASSERT(facts.reported == listed->count() * ends);
  RC_ASSERT(facts.reported_true == facts.reported);
  RC_ASSERT(facts.slice_end == threshold.value() + 0.05 || facts.slice_end > 1 ||
            std::abs(facts.slice_end - threshold.value() - 0.05) < 1e-12);
}

TEST(Audit, OfASampleCountsThePairsOfItsRows) {
  const TestTexts texts{random_texts(11, 120)};
  TextRun dedup(kDedup, texts, {{"threshold", "0.6"}, {"audit", "20"}, {"seed", "4"}});
  dedup.run->prepare();
  const Decisions decisions = decide(*dedup.run, nullptr);
  const std::vector<RowId> sample =
      draw_rows(dedup.run->corpus, dedup.run->items, 20, dedup.run->settings.seed);
  std::uint64_t all = 0;
  std::uint64_t reported = 0;
  for (const RowId a : sample) {
    ASSERT_FALSE(texts.own[a].empty());
    for (RowId b = 0; b < texts.own.size(); ++b) {
      all += a != b && are_similar(texts.own[a], texts.own[b], {3, 5}) ? 1 : 0;
      reported +=
          a != b && (decisions.of(a).survivor == b || decisions.of(b).survivor == a) ? 1 : 0;
    }
  }
  const AuditFacts facts = audit_dedup(audited_sets(*dedup.run), decisions);
  EXPECT_EQ(facts.sampled, 20U);
  EXPECT_EQ(facts.all.true_pairs, all);
  EXPECT_EQ(facts.all.found_pairs, all);
  EXPECT_EQ(facts.reported, reported);
  EXPECT_EQ(facts.reported_true, reported);
}

// Chains: pairs that a run reports although they are not similar.
TEST(Audit, TellsReportedPairsThatAreNotTrue) {
  const TestTexts chain{{"aa bb cc", "bb cc dd", "cc dd ee", "dd ee ff"}};
  TextRun dedup(kDedup, chain,
                {{"threshold", "0.5"}, {"clustering", "components"}, {"audit", "9"}});
  dedup.run->prepare();
  const AuditFacts facts = audit_dedup(audited_sets(*dedup.run), decide(*dedup.run, nullptr));
  EXPECT_EQ(facts.all.true_pairs, 6U);
  EXPECT_EQ(facts.reported, 6U);  // three removed rows, counted for both members
  EXPECT_EQ(facts.reported_true, 2U);
}

// T-4.4 for the rule that audits use: pairs with similarity 1/3 become candidates as often as the
// S-curve predicts.
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
