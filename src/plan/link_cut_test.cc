// Tests of the cut of links, compared with trying every cut, and of bands of scores.
#include "plan/link_cut.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/score_bands.h"
#include "reference/monotone.h"

namespace sosie {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

std::vector<JudgedScore> random_links() {
  std::vector<JudgedScore> links;
  for (int i = *rc::gen::inRange(0, 40); i > 0; --i) {
    links.push_back({*rc::gen::inRange(-8, 9) / 2.0, *rc::gen::inRange(0, 17) / 16.0});
  }
  std::stable_sort(links.begin(), links.end(),
                   [](const JudgedScore& a, const JudgedScore& b) { return a.score > b.score; });
  return links;
}

// The quality that results if the links reaching a score are kept.
LinkCut kept(const std::vector<JudgedScore>& links, double all, double score) {
  LinkCut cut;
  cut.score = score;
  for (const JudgedScore& link : links) {
    if (link.score < score) continue;
    ++cut.links;
    cut.matches += link.true_part;
  }
  if (cut.links > 0) cut.precision = cut.matches / static_cast<double>(cut.links);
  cut.recall = all > 0 ? cut.matches / all : 1;
  const double sum = static_cast<double>(cut.links) + all;
  cut.f1 = sum > 0 ? 2 * cut.matches / sum : 0;
  return cut;
}

RC_GTEST_PROP(LinkCut, HasTheLargestEstimatedF1, ()) {
  const std::vector<JudgedScore> links = random_links();
  const double all = sum_of_matches(links) + *rc::gen::inRange(0, 5);
  const LinkCut chosen = choose_cut(links, all);
  for (const JudgedScore& link : links) {
    const LinkCut other = kept(links, all, link.score);
    RC_ASSERT(other.f1 <= chosen.f1);
    if (other.f1 == chosen.f1) RC_ASSERT(other.score <= chosen.score);
  }
  const LinkCut same = kept(links, all, chosen.score);
  RC_ASSERT(same.links == chosen.links);
  RC_ASSERT(same.matches == chosen.matches);
  RC_ASSERT(same.precision == chosen.precision);
  RC_ASSERT(same.recall == chosen.recall);
  RC_ASSERT(same.f1 == chosen.f1);
}

RC_GTEST_PROP(LinkCut, IsTheLowestThatReachesThePrecision, ()) {
  const std::vector<JudgedScore> links = random_links();
  const double all = sum_of_matches(links);
  const CutRule rule{CutRule::Kind::precision, *rc::gen::inRange(1, 17) / 16.0};
  const LinkCut chosen = choose_cut(links, all, rule);
  double lowest = kEndless;
  for (const JudgedScore& link : links) {
    if (kept(links, all, link.score).precision >= rule.value) lowest = std::min(lowest, link.score);
  }
  RC_ASSERT(chosen.score == lowest);
}

TEST(LinkCut, MayBeGiven) {
  const std::vector<JudgedScore> links = {{9, 1}, {5, .5}, {5, .25}, {2, .25}};
  const LinkCut cut = choose_cut(links, 2, {CutRule::Kind::fixed, 4});
  EXPECT_EQ(cut.score, 4);
  EXPECT_EQ(cut.links, 3U);
  EXPECT_EQ(cut.matches, 1.75);
  EXPECT_DOUBLE_EQ(cut.precision, 1.75 / 3);
  EXPECT_DOUBLE_EQ(cut.recall, .875);
  EXPECT_DOUBLE_EQ(cut.f1, .7);
}

TEST(LinkCut, OfNoLinksKeepsNone) {
  const LinkCut cut = choose_cut({}, 0);
  EXPECT_EQ(cut.score, kEndless);
  EXPECT_EQ(cut.links, 0U);
  const std::vector<JudgedScore> hopeless = {{1, 0}, {0, 0}};
  EXPECT_EQ(choose_cut(hopeless, 0).links, 0U);
}

RC_GTEST_PROP(FallingFit, MatchesItsMinMaxFormula, ()) {
  auto values = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-20, 21));
  if (values.size() > 12) values.resize(12);
  std::vector<double> fit(values.begin(), values.end());
  std::vector<double> weights;
  for (std::size_t i = 0; i < fit.size(); ++i) weights.push_back(*rc::gen::inRange(1, 5));
  const std::vector<double> expected = reference::falling_fit(fit, weights);
  fit_falling(fit, weights);
  for (std::size_t i = 0; i < fit.size(); ++i) RC_ASSERT(std::abs(fit[i] - expected[i]) < 1e-9);
}

RC_GTEST_PROP(ScoreBands, AreLargeAndDoNotSplitScores, ()) {
  std::vector<double> scores;
  for (int i = *rc::gen::inRange(0, 400); i > 0; --i) scores.push_back(*rc::gen::inRange(0, 100));
  std::sort(scores.rbegin(), scores.rend());
  const std::vector<std::size_t> ends = band_ends(scores);
  RC_ASSERT(scores.empty() == ends.empty());
  if (!ends.empty()) RC_ASSERT(ends.back() == scores.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    RC_ASSERT(ends.size() == 1 || end - begin >= band_size(scores.size()));
    if (begin > 0) RC_ASSERT(scores[begin] != scores[begin - 1]);
    begin = end;
  }
}

}  // namespace
}  // namespace sosie
