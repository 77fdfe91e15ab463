// Tests of the estimate from a held-out field: golden cases, a law on synthetic links, and cases
// without an estimate.
#include "plan/held_out_link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/mix64.h"

namespace sosie {
namespace {

double uniform(std::uint64_t stream, std::uint64_t i) {
  return static_cast<double>(random64(stream, i) >> 11) / 9007199254740992.0;
}

// Synthetic links: true ones score 5 to 10, false ones 0 to 7. The field differs in a tenth of the
// true links and nine tenths of the false ones; it is missing in a fifth of all links.
struct Made {
  std::vector<HeldOutLink> links;
  std::vector<double> random;
  std::uint64_t matches = 0;
};

Made made(std::uint64_t seed) {
  Made out;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const bool is_true = uniform(seed, 4 * i) < .5;
    const double score = is_true ? 5 + 5 * uniform(seed, 4 * i + 1) : 7 * uniform(seed, 4 * i + 1);
    const bool differs = uniform(seed, 4 * i + 2) < (is_true ? .1 : .9);
    const bool lacks = uniform(seed, 4 * i + 3) < .2;
    out.links.push_back({score, score > 7 ? .999 : .4, lacks ? -1 : differs ? 1.0 : 0.0});
    out.matches += is_true ? 1U : 0U;
  }
  for (std::uint64_t i = 0; i < 2000; ++i) out.random.push_back(i % 10 == 0 ? 0 : 1);
  return out;
}

HeldOutTask task_of(const Made& data) {
  HeldOutTask task;
  task.links = data.links;
  task.random = data.random;
  return task;
}

// High-confidence pairs differ by 10 days, random ones by 45.
TEST(HeldOutField, T8_1_PartOfTheBook) {
  for (int x = 0; x <= 50; ++x) EXPECT_DOUBLE_EQ(true_part(10, 45, x), (45.0 - x) / 35);
}

// Independent years, uniform over ten, differ by 3.3; h0 = .1, h = 2.
TEST(HeldOutField, T8_2_YearsOfTheBook) {
  std::vector<double> random;
  for (int a = 0; a < 10; ++a) {
    for (int b = 0; b < 10; ++b) random.push_back(a < b ? b - a : a - b);
  }
  std::vector<HeldOutLink> links;
  for (int i = 0; i < 100; ++i) links.push_back({20, .995, i % 10 == 0 ? 1.0 : 0.0});
  for (int i = 0; i < 100; ++i) links.push_back({10, .5, i % 2 == 0 ? 4.0 : 0.0});
  HeldOutTask task;
  task.links = links;
  task.random = random;
  const FieldEstimate field = estimate_by_field(task);
  ASSERT_EQ(field.refusal, "");
  EXPECT_DOUBLE_EQ(field.h0, .1);
  EXPECT_DOUBLE_EQ(field.h1, 3.3);
  ASSERT_EQ(field.estimate.bands.size(), 2U);
  EXPECT_EQ(field.estimate.bands[0].true_part, 1);
  EXPECT_NEAR(field.estimate.bands[1].true_part, .40625, 1e-12);
  EXPECT_NEAR(field.estimate.matches, 140.625, 1e-9);
}

TEST(HeldOutField, FindsTheNumberOfTrueLinks) {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Made data = made(seed);
    const FieldEstimate field = estimate_by_field(task_of(data));
    ASSERT_EQ(field.refusal, "");
    const auto matches = static_cast<double>(data.matches);
    EXPECT_NEAR(field.estimate.matches, matches, .05 * matches);
    covered += field.matches.least <= matches && matches <= field.matches.most ? 1 : 0;
    // The best cut is at 5, below which no link is true.
    EXPECT_NEAR(field.estimate.cut.score, 5, .6);
    double last = 1;
    for (const ScoreBand& band : field.estimate.bands) {
      EXPECT_LE(band.true_part, last);
      EXPECT_GE(band.true_part, 0);
      last = band.true_part;
    }
  }
  EXPECT_GE(covered, 15);  // twenty intervals of 95 %, which ignore the bias of clamping
}

TEST(HeldOutField, DependsOnSeedOnlyInItsIntervals) {
  const Made data = made(7);
  HeldOutTask task = task_of(data);
  const FieldEstimate once = estimate_by_field(task);
  const FieldEstimate again = estimate_by_field(task);
  EXPECT_EQ(std::tie(once.matches.least, once.matches.most, once.f1.least, once.f1.most),
            std::tie(again.matches.least, again.matches.most, again.f1.least, again.f1.most));
  task.seed = 2;
  const FieldEstimate other = estimate_by_field(task);
  EXPECT_EQ(other.estimate.matches, once.estimate.matches);
  EXPECT_NE(other.matches.least, once.matches.least);
}

TEST(HeldOutField, RefusesAFieldThatFewHave) {
  Made data = made(1);
  int left = 99;
  for (HeldOutLink& link : data.links) {
    if (link.probability >= kSureProbability && link.difference >= 0 && left-- <= 0) {
      link.difference = -1;
    }
  }
  EXPECT_EQ(estimate_by_field(task_of(data)).refusal,
            "99 high-confidence pairs have the field; at least 100 are needed");
  data = made(1);
  data.random.resize(5);
  EXPECT_EQ(estimate_by_field(task_of(data)).refusal,
            "5 random pairs have the field; at least 100 are needed");
  EXPECT_EQ(estimate_by_field({}).refusal,
            "0 high-confidence pairs have the field; at least 100 are needed");
}

TEST(HeldOutField, RefusesAFieldWithoutPower) {
  Made data = made(1);
  for (double& difference : data.random) difference *= .1;
  EXPECT_EQ(estimate_by_field(task_of(data)).refusal.substr(0, 43),
            "the field does not tell matches from others");
}

// One random pair of 100 differs, so many resamples contain none, and h0 is 0 in all of them.
TEST(HeldOutField, HasIntervalsWhenRandomPairsHardlyDiffer) {
  Made data = made(1);
  for (HeldOutLink& link : data.links) {
    if (link.probability >= kSureProbability && link.difference > 0) link.difference = 0;
  }
  data.random.assign(100, 0);
  data.random[17] = 1;
  const FieldEstimate field = estimate_by_field(task_of(data));
  ASSERT_EQ(field.refusal, "");
  for (const Interval& interval : {field.matches, field.f1}) {
    EXPECT_LE(0, interval.least);
    EXPECT_LE(interval.least, interval.most);
  }
  for (const ScoreBand& band : field.estimate.bands) {
    EXPECT_LE(0, band.least);
    EXPECT_LE(band.least, band.most);
    EXPECT_LE(band.most, 1);
  }
}

// High-scoring false links agree in the field, just as addresses are repeated within a town.
TEST(HeldOutField, RefusesAFieldThatRepeatsWhatWasScored) {
  Made data = made(1);
  std::vector<HeldOutLink> runners_up;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const double score = 7 * uniform(99, 2 * i);
    runners_up.push_back({score, 0, uniform(99, 2 * i + 1) < .9 ? 1.0 : 0.0});
  }
  HeldOutTask task = task_of(data);
  task.runners_up = runners_up;
  const FieldEstimate independent = estimate_by_field(task);
  EXPECT_EQ(independent.refusal, "");
  EXPECT_TRUE(independent.checked);
  EXPECT_LT(independent.moved, .02);
  // Now, the field of non-matches above 3 differs in only a third of the pairs.
  for (std::uint64_t i = 0; i < 500; ++i) {
    if (runners_up[i].score > 3 && uniform(98, i) < .63) runners_up[i].difference = 0;
  }
  for (std::size_t i = 0; i < data.links.size(); ++i) {
    HeldOutLink& link = data.links[i];
    if (link.score > 3 && link.difference == 1 && uniform(97, i) < .63) link.difference = 0;
  }
  const FieldEstimate repeated = estimate_by_field(task);
  EXPECT_GT(repeated.moved, .05);
  EXPECT_EQ(repeated.refusal.substr(0, 38), "the field repeats what was scored: wit");
}

TEST(HeldOutField, TakesTheBestHundredForSureWithoutAModel) {
  Made data = made(3);
  for (HeldOutLink& link : data.links) link.probability = 0;
  const FieldEstimate field = estimate_by_field(task_of(data));
  ASSERT_EQ(field.refusal, "");
  EXPECT_EQ(field.sure_pairs, 400U);
  EXPECT_NEAR(field.estimate.matches, static_cast<double>(data.matches), 150);
}

TEST(RandomPairs, AreSpreadOverAllPairs) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const RecordPair& pair : random_pairs(4, 0, 400, 1)) {
    EXPECT_LT(pair.left, pair.right);
    EXPECT_LT(pair.right, 4U);
    seen.insert({pair.left, pair.right});
  }
  EXPECT_EQ(seen.size(), 6U);
  seen.clear();
  for (const RecordPair& pair : random_pairs(3, 2, 400, 1)) seen.insert({pair.left, pair.right});
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_TRUE(random_pairs(1, 0, 10, 1).empty());
  EXPECT_TRUE(random_pairs(0, 5, 10, 1).empty());
}

}  // namespace
}  // namespace sosie
