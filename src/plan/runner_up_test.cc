// Tests of the estimate from runners-up: a law on synthetic links, and cases without an estimate.
#include "plan/runner_up.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/mix64.h"

namespace sosie {
namespace {

double uniform_from(std::uint64_t stream, std::uint64_t i) {
  return static_cast<double>(random64(stream, i) >> 11) / 9007199254740992.0;
}

// Left record i has the true partner i with probability `true_part`, at a score of 4.5 to 10. Five
// others score 0 to 5; high scores are rare, because they are the eighth power of a uniform number.
struct MadePairs {
  std::vector<ScoredLink> links;
  std::vector<std::size_t> chosen;  // the best of each left record
  std::size_t matches = 0;          // true ones among them

  [[nodiscard]] RunnerUpTask task() const { return {links, chosen}; }
};

MadePairs made(std::uint32_t records, double true_part, std::uint64_t seed) {
  MadePairs out;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> scores;
  for (std::uint32_t left = 0; left < records; ++left) {
    const std::uint64_t stream = random64(seed, left);
    for (std::uint64_t i = 0; i < 5; ++i) {
      // Right records below `records` are partners of other records; those above are partners of
      // none.
      const auto right = static_cast<std::uint32_t>(random64(stream, 10 + i) % (3 * records));
      const double part = uniform_from(stream, i) * uniform_from(stream, i);
      const double fourth = part * part;
      if (right != left) scores[{left, right}] = 5 * fourth * fourth;
    }
    if (uniform_from(stream, 7) < true_part)
      scores[{left, left}] = 4.5 + 5.5 * uniform_from(stream, 8);
  }
  for (const auto& [pair, score] : scores) {
    if (out.links.empty() || out.links.back().left != pair.first) {
      out.chosen.push_back(out.links.size());
    } else if (score > out.links[out.chosen.back()].score) {
      out.chosen.back() = out.links.size();
    }
    out.links.push_back({pair.first, pair.second, score, 0});
  }
  for (const std::size_t i : out.chosen) {
    out.matches += out.links[i].left == out.links[i].right ? 1U : 0U;
  }
  return out;
}

TEST(RunnersUp, TellTheNumberOfTrueLinks) {
  for (const double part : {.3, .6, .95}) {
    const MadePairs data = made(3000, part, 5);
    const RunnerUpEstimate estimate = estimate_by_runners_up(data.task());
    ASSERT_EQ(estimate.refusal, "");
    EXPECT_NEAR(estimate.estimate.matches, static_cast<double>(data.matches),
                .1 * static_cast<double>(data.matches));
    // Nearly all links in the best third, or in half of the true ones, have a second partner.
    const double best = std::min(static_cast<double>(data.chosen.size()) / 3,
                                 static_cast<double>(data.matches) / 2);
    EXPECT_NEAR(static_cast<double>(estimate.runners_up), best, .1 * best);
    double last = 1;
    std::uint64_t links = 0;
    for (const ScoreBand& band : estimate.estimate.bands) {
      EXPECT_LE(band.true_part, last);
      last = band.true_part;
      links += band.links;
    }
    EXPECT_EQ(links, data.chosen.size());
  }
}

// The runners-up come from the side with fewer records, whether it is left or right.
TEST(RunnersUp, DoNotDependOnWhichSideIsLeft) {
  const MadePairs data = made(3000, .6, 5);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<double, bool>> turned;
  for (const ScoredLink& link : data.links) {
    turned[{link.right, link.left}] = {link.score, false};
  }
  for (const std::size_t i : data.chosen) {
    turned[{data.links[i].right, data.links[i].left}].second = true;
  }
  MadePairs other;
  for (const auto& [pair, score] : turned) {
    if (score.second) other.chosen.push_back(other.links.size());
    other.links.push_back({pair.first, pair.second, score.first, 0});
  }
  const RunnerUpEstimate once = estimate_by_runners_up(data.task());
  const RunnerUpEstimate again = estimate_by_runners_up(other.task());
  EXPECT_EQ(again.runners_up, once.runners_up);
  EXPECT_DOUBLE_EQ(again.estimate.matches, once.estimate.matches);
}

TEST(RunnersUp, RefuseWhenThereAreFew) {
  EXPECT_EQ(estimate_by_runners_up({}).refusal, "0 links, at least 100 are needed");
  std::vector<ScoredLink> links;
  std::vector<std::size_t> chosen;
  for (std::uint32_t i = 0; i < 200; ++i) {
    chosen.push_back(links.size());
    links.push_back({i, i, 5, 0});
    if (i < 29) links.push_back({i, i + 1000, 1, 0});
  }
  EXPECT_EQ(estimate_by_runners_up({links, chosen}).refusal,
            "29 of the best links have a second partner, at least 30 are needed");
}

// Each right record occurs twice, with nearly the same score.
TEST(RunnersUp, RefuseWhenOneSideHoldsSeveralOfAnEntity) {
  std::vector<ScoredLink> links;
  std::vector<std::size_t> chosen;
  for (std::uint32_t i = 0; i < 300; ++i) {
    chosen.push_back(links.size());
    const double score = 5 + 3 * uniform_from(1, i);
    links.push_back({i, 2 * i, score, 0});
    links.push_back({i, 2 * i + 1, score - .1, 0});
  }
  const std::string refusal = estimate_by_runners_up({links, chosen}).refusal;
  EXPECT_NE(refusal.find("the right records seem to contain several of the same entity"),
            std::string::npos);
}

TEST(RunnersUp, RefuseWhenFewLinksAreTrue) {
  const MadePairs data = made(3000, .12, 5);
  const RunnerUpEstimate estimate = estimate_by_runners_up(data.task());
  EXPECT_EQ(estimate.refusal,
            "fewer than a quarter of the 3000 links seem to be true, too few to be distinguished "
            "from chance");
}

TEST(RunnersUp, PairsAreOthersOfTheBestLinks) {
  const std::vector<ScoredLink> links = {{0, 0, 9, 0}, {0, 1, 3, 0}, {1, 1, 5, 0},
                                         {2, 0, 4, 0}, {2, 2, 4, 0}, {2, 3, 3, 0}};
  const std::vector<std::size_t> chosen = {0, 2, 4};
  EXPECT_EQ(runner_up_pairs({links, chosen}), (std::vector<std::size_t>{1, 3}));
}

}  // namespace
}  // namespace sosie
