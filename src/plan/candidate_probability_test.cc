#include "plan/candidate_probability.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>

#include "reference/banding.h"

namespace sosie {
namespace {

struct Point {
  double s;
  double probability;
  double tolerance;
};

TEST(SCurve, T4_1_TwentyBandsOfFiveRows) {
  constexpr std::array<Point, 7> kPoints{{{.2, .006, .0005},
                                          {.3, .047, .0005},
                                          {.4, .186, .0005},
                                          {.5, .470, .0005},
                                          {.6, .802, .0005},
                                          {.7, .975, .0005},
                                          {.8, .9996, .00005}}};
  for (const Point& point : kPoints) {
    EXPECT_NEAR(candidate_probability(point.s, 20, 5), point.probability, point.tolerance);
  }
  EXPECT_NEAR(miss_probability(.8, 20, 5), .000356, .0000005);
  EXPECT_NEAR(1 / miss_probability(.8, 20, 5), 2809, .5);
  EXPECT_NEAR(candidate_probability(.3, 20, 5), .0475, .00005);
}

TEST(SCurve, T4_2_HalfPointsAndTheirApproximation) {
  EXPECT_NEAR(half_point(10, 3), .4061, .00005);
  EXPECT_NEAR(approximate_threshold(10, 3), .4642, .00005);
  EXPECT_NEAR(half_point(20, 6), .5694, .00005);
  EXPECT_NEAR(approximate_threshold(20, 6), .607, .0005);
  EXPECT_NEAR(half_point(50, 5), .4244, .00005);
  EXPECT_NEAR(approximate_threshold(50, 5), .4573, .00005);
  EXPECT_NEAR(approximate_threshold(16, 4), .5, 1e-12);
}

TEST(SCurve, T4_3_CurvesOfThreeBandings) {
  struct Row {
    int rows;
    int bands;
    std::array<double, 9> probability;
  };
  constexpr std::array<Row, 3> kRows{
      {{3, 10, {.0100, .0772, .2394, .4839, .7369, .9123, .9850, .9992, 1.0}},
       {6, 20, {.0000, .0013, .0145, .0788, .2702, .6154, .9182, .9977, 1.0}},
       {5, 50, {.0005, .0159, .1145, .4023, .7956, .9825, .9999, 1.0, 1.0}}}};
  for (const Row& row : kRows) {
    for (std::size_t i = 0; i < row.probability.size(); ++i) {
      const double s = static_cast<double>(i + 1) / 10;
      EXPECT_NEAR(candidate_probability(s, row.bands, row.rows), row.probability[i], .00005)
          << row.bands << " x " << row.rows << " at " << s;
    }
  }
}

TEST(SCurve, T4_5_MissesAndFalseCandidates) {
  EXPECT_NEAR(miss_probability(.8, 15, 5), .00259, .000005);
  EXPECT_NEAR(candidate_probability(.3, 15, 5), .0358, .00005);
  EXPECT_NEAR(miss_probability(.8, 10, 5), .0189, .00005);
  EXPECT_NEAR(candidate_probability(.3, 10, 5), .0240, .00005);
  EXPECT_NEAR(miss_probability(.8, 10, 10), .3211, .00005);
  EXPECT_NEAR(candidate_probability(.3, 10, 10), .000059, .0000005);
}

TEST(SCurve, T4_6_LeastAreaOfErrors) {
  struct Case {
    double threshold;
    int rows;
    double area;
  };
  for (const Case& c : {Case{.5, 5, .09062}, Case{.8, 10, .07496}, Case{.9, 20, .03982}}) {
    const LeastErrors least = least_error_area(c.threshold, 100);
    EXPECT_EQ(least.rows, c.rows) << c.threshold;
    EXPECT_EQ(least.bands, 100 / c.rows) << c.threshold;
    EXPECT_NEAR(least.area, c.area, .000005) << c.threshold;
  }
}

TEST(SCurve, NoBandingOfAsManyFunctionsHasLessErrors) {
  for (const int functions : {1, 2, 64, 97, 256}) {
    for (const double threshold : {.1, .5, .95}) {
      const LeastErrors least = least_error_area(threshold, functions);
      EXPECT_EQ(least.bands * least.rows, functions);
      for (int rows = 1; rows <= functions; ++rows) {
        if (functions % rows != 0) continue;
        EXPECT_LE(least.area, error_area(threshold, functions / rows, rows));
      }
    }
  }
}

TEST(SCurve, T4_7_SteepestPoint) {
  EXPECT_NEAR(steepest_point(20, 5).at, .5264, .00005);
  EXPECT_NEAR(steepest_point(20, 5).slope, 3.506, .0005);
  for (int bands = 1; bands <= 64; ++bands) {
    for (int rows = 1; rows <= 20; ++rows) {
      EXPECT_GT(approximate_threshold(bands, rows), half_point(bands, rows));
    }
  }
}

TEST(SCurve, SlopeIsLessBesideTheSteepestPoint) {
  const auto slope = [](double s, int bands, int rows) {
    constexpr double kStep = 1e-5;
    return (candidate_probability(s + kStep, bands, rows) -
            candidate_probability(s - kStep, bands, rows)) /
           (2 * kStep);
  };
  for (const int rows : {2, 5, 13}) {
    const Steepest steepest = steepest_point(16, rows);
    EXPECT_NEAR(slope(steepest.at, 16, rows), steepest.slope, 1e-5);
    EXPECT_LT(slope(steepest.at - .02, 16, rows), steepest.slope);
    EXPECT_LT(slope(steepest.at + .02, 16, rows), steepest.slope);
  }
}

TEST(SCurve, OneRowIsSteepestAtZero) {
  EXPECT_EQ(steepest_point(7, 1).at, 0);
  EXPECT_EQ(steepest_point(7, 1).slope, 7);
  EXPECT_EQ(steepest_point(1, 1).slope, 1);
  EXPECT_NEAR(steepest_point(1, 9).at, 1, 1e-12);
}

TEST(SCurve, EqualsTheReference) {
  EXPECT_TRUE(rc::check([] {
    const double s = *rc::gen::inRange(0, 1001) / 1000.0;
    const int bands = *rc::gen::inRange(1, 200);
    const int rows = *rc::gen::inRange(1, 40);
    const double miss = reference::banding_miss(s, bands, rows);
    RC_ASSERT(std::abs(miss_probability(s, bands, rows) - miss) <= 1e-12 * (1 + miss));
    RC_ASSERT(std::abs(half_point(bands, rows) - reference::banding_half_point(bands, rows)) <
              1e-12);
  }));
}

TEST(SCurve, RisesWithSimilarityAndBandsAndFallsWithRows) {
  EXPECT_TRUE(rc::check([] {
    const double s = *rc::gen::inRange(0, 1000) / 1000.0;
    const int bands = *rc::gen::inRange(1, 100);
    const int rows = *rc::gen::inRange(1, 30);
    const double miss = miss_probability(s, bands, rows);
    RC_ASSERT(miss_probability(s + .001, bands, rows) <= miss);
    RC_ASSERT(miss_probability(s, bands + 1, rows) <= miss);
    RC_ASSERT(miss_probability(s, bands, rows + 1) >= miss);
  }));
}

}  // namespace
}  // namespace sosie
