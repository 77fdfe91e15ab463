#include "plan/lsh_plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/filter.h"
#include "sketch/collision_laws.h"
#include "sketch/cross_polytopes.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Distances, one in a hundred of which is small.
std::vector<double> distances(double near, double far) {
  std::vector<double> sample(10000, far);
  for (std::size_t i = 0; i < sample.size(); i += 100) sample[i] = near;
  return sample;
}

LshTask by_angle(std::span<const double> sample) {
  LshTask task;
  task.measure = "angle";
  task.collision = hyperplane_collision_law;
  task.bound = 20;
  task.sketch_bits = 256;
  task.pairs_an_item = 50000;
  task.sample = sample;
  task.costs = {1, 100};
  return task;
}

TEST(LshPlan, ReachesTheRecallByItsOwnFormulas) {
  const auto sample = distances(10, 80);
  for (const double recall : {.5, .9, .99, .9999}) {
    LshTask task = by_angle(sample);
    task.recall = recall;
    const LshPlan plan = choose_lsh(task);
    const double p = 1 - 20 / 180.;
    const double found = 1 - std::pow(1 - std::pow(p, plan.rows), plan.bands);
    const double lost = binomial_below(256, p, 256 - plan.most_different);
    EXPECT_NEAR(plan.expected_recall, found * (1 - lost), 1e-9);
    EXPECT_GE(plan.expected_recall, recall);
    EXPECT_LE(lost, (1 - recall) / 10);
    EXPECT_GT(binomial_below(256, p, 257 - plan.most_different), (1 - recall) / 10);
    // With one band fewer, too much would be missed.
    EXPECT_LT((1 - std::pow(1 - std::pow(p, plan.rows), plan.bands - 1)) * (1 - lost), recall);
  }
}

TEST(LshPlan, OfProbesReachesTheRecallByTheirLaws) {
  const auto sample = distances(10, 80);
  for (const double cells : probed_vertices()) {
    for (const double recall : {.5, .95, .999}) {
      LshTask task = by_angle(sample);
      task.collision = cross_polytope_collision_law;
      task.sketch_collision = hyperplane_collision_law;
      task.recall = recall;
      task.probes = {cells, near_one_collision, near_both_collision};
      const LshPlan plan = choose_lsh(task);
      const double met = 2 * std::pow(near_one_collision(cells, 20), plan.rows) -
                         std::pow(near_both_collision(cells, 20), plan.rows);
      const double lost = binomial_below(256, 1 - 20 / 180., 256 - plan.most_different);
      EXPECT_EQ(plan.cells, cells);
      EXPECT_NEAR(plan.expected_recall, (1 - std::pow(1 - met, plan.bands)) * (1 - lost), 1e-9);
      EXPECT_GE(plan.expected_recall, recall);
      EXPECT_LT((1 - std::pow(1 - met, plan.bands - 1)) * (1 - lost), recall);
      EXPECT_LE(probes_of(cells, plan.rows), kMostProbes);
    }
  }
}

TEST(LshPlan, TakesMoreRowsWhereMoreItemsAreFar) {
  const std::vector<double> sample(100, 60);
  LshTask task = by_angle(sample);
  int rows = 0;
  for (const double pairs : {1e3, 1e5, 1e7}) {
    task.pairs_an_item = pairs;
    const LshPlan plan = choose_lsh(task);
    EXPECT_GT(plan.rows, rows);
    rows = plan.rows;
  }
}

// Functions that are evaluated anyway cost nothing extra; going beyond them costs as many again.
TEST(LshPlan, TakesFunctionsThatComeTogetherOrLeavesThem) {
  const std::vector<double> sample(100, 60);
  LshTask task = by_angle(sample);
  task.pairs_an_item = 1e4;
  task.costs = {20, 100};
  const int one_by_one = choose_lsh(task).functions();
  task.costs.at_once = 1024;
  const LshPlan plan = choose_lsh(task);
  EXPECT_LE(plan.functions(), 1024);
  EXPECT_GT(plan.functions(), one_by_one);
  EXPECT_GE(plan.cost, 20 * 1024.);
  EXPECT_LT(plan.cost, 20 * 2048.);
}

TEST(LshPlan, CostsLessThanItsNeighbours) {
  const auto sample = distances(15, 60);
  LshTask task = by_angle(sample);
  const LshPlan plan = choose_lsh(task);
  for (const int rows : {plan.rows - 1, plan.rows + 1}) {
    for (int bands = 1; bands < 500; ++bands) {
      task.fixed = BandShape{bands, rows};
      const LshPlan other = choose_lsh(task);
      if (other.expected_recall >= task.recall) {
        EXPECT_GE(other.cost, plan.cost);
      }
    }
  }
}

TEST(LshPlan, OfSegmentsChoosesTheirLength) {
  const auto sample = distances(2, 9);
  LshTask task = by_angle(sample);
  task.collision = gaussian_segment_collision_law;
  task.bound = 3;
  task.in_segments = true;
  const LshPlan plan = choose_lsh(task);
  EXPECT_GE(plan.expected_recall, .99);
  EXPECT_GE(plan.segment, 3);
  // If the bands are fixed, the recall comes first. A single function finds few pairs, however long
  // the segment.
  task.fixed = BandShape{1, 1};
  EXPECT_DOUBLE_EQ(choose_lsh(task).segment, 24);
  task.fixed = BandShape{500, 1};
  EXPECT_GE(choose_lsh(task).expected_recall, .99);
  EXPECT_LT(choose_lsh(task).segment, 24);
}

TEST(LshPlan, OfAnEarlierRunIsForecastAsItWasPlanned) {
  const auto sample = distances(10, 80);
  const LshTask task = by_angle(sample);
  const LshPlan plan = choose_lsh(task);
  LshPlan saved = plan;
  saved.cost = saved.expected_recall = 0;
  const LshPlan again = forecast_lsh(task, saved);
  EXPECT_EQ(again.cost, plan.cost);
  EXPECT_EQ(again.expected_recall, plan.expected_recall);
}

TEST(LshPlan, CountsWhatItFindsOfTheSample) {
  const auto sample = distances(10, 80);
  const LshTask task = by_angle(sample);
  const LshPlan plan = choose_lsh(task);
  const ItemSample facts = item_sample(task, plan);
  EXPECT_EQ(facts.near, 100);
  EXPECT_EQ(facts.far, 9900);
  EXPECT_NEAR(facts.recall, lsh_recall_at(task, plan, 10), 1e-12);
  EXPECT_NEAR(facts.far_measured, 9900 * lsh_recall_at(task, plan, 80), 1e-9);
}

TEST(LshPlan, MeasuresNearPairsMoreOftenThanFarOnes) {
  const auto sample = distances(10, 80);
  const LshTask task = by_angle(sample);
  const LshPlan plan = choose_lsh(task);
  EXPECT_DOUBLE_EQ(candidate_at(task, plan, 0), 1);
  EXPECT_DOUBLE_EQ(one_function_at(task, plan, 45), 0.75);
  double before = 1;
  for (double distance = 0; distance < 180; distance += 5) {
    const double measured = lsh_recall_at(task, plan, distance);
    EXPECT_LE(measured, before);
    EXPECT_LE(measured, candidate_at(task, plan, distance));
    before = measured;
  }
  EXPECT_LT(before, 1e-6);
}

TEST(LshPlan, OfEqualItemsIsOneFunction) {
  const std::vector<double> sample(100, 90);
  LshTask task = by_angle(sample);
  task.bound = 0;
  task.pairs_an_item = 10;
  const LshPlan plan = choose_lsh(task);
  EXPECT_EQ(plan.bands, 1);
  EXPECT_EQ(plan.most_different, 0);
  EXPECT_EQ(plan.expected_recall, 1);
  task.collision = gaussian_segment_collision_law;
  task.in_segments = true;
  EXPECT_GT(choose_lsh(task).segment, 0);
}

TEST(LshPlan, SaysWhatCannotBeReached) {
  LshTask task = by_angle({});
  task.bound = 180;
  EXPECT_THROW(static_cast<void>(choose_lsh(task)), Error);
}

}  // namespace
}  // namespace sosie
