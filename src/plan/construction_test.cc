#include "plan/construction.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace sosie {
namespace {

Construction made_of(std::string_view text) { return *parse_construction(text); }

void expect_curve(std::string_view text, double first, const std::array<double, 8>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double p = first + static_cast<double>(i) / 10;
    EXPECT_NEAR(amplify(made_of(text), p).found, expected[i], .00005) << text << " at " << p;
  }
}

TEST(Construction, T6_1_FourWayAndThenFourWayOr) {
  expect_curve("and:4,or:4", .2, {.0064, .0320, .0985, .2275, .4260, .6666, .8785, .9860});
  EXPECT_NEAR(amplify(made_of("and:4,or:4"), .8).found, .8785, .00005);
  EXPECT_NEAR(amplify(made_of("and:4,or:4"), .4).found, .0985, .00005);
}

TEST(Construction, T6_2_FourWayOrThenFourWayAnd) {
  expect_curve("or:4,and:4", .1, {.0140, .1215, .3334, .5740, .7725, .9015, .9680, .9936});
}

TEST(Construction, T6_3_CascadeOfBoth) {
  const Construction cascade = made_of("and:4,or:4,or:4,and:4");
  EXPECT_EQ(function_count(cascade), 256U);
  EXPECT_NEAR(amplify(cascade, .8).found, .9991285, .00000005);
  EXPECT_NEAR(amplify(cascade, .2).found, 4.094e-7, .0005e-7);
}

TEST(Construction, T6_4_FixedPoints) {
  const std::array<std::pair<std::string_view, double>, 6> cases{{{"and:2,or:3", .3894},
                                                                  {"or:3,and:2", .1516},
                                                                  {"and:2,or:2,and:2", .8474},
                                                                  {"or:2,and:2,or:2,and:2", .3820},
                                                                  {"and:4,or:4", .7245},
                                                                  {"or:4,and:4", .2755}}};
  for (const auto& [text, point] : cases) {
    const auto points = fixed_points(made_of(text));
    ASSERT_EQ(points.size(), 1U) << text;
    EXPECT_NEAR(points[0], point, .00005) << text;
  }
  EXPECT_TRUE(fixed_points(made_of("and:4")).empty());
  EXPECT_TRUE(fixed_points(made_of("and:1")).empty());
}

TEST(Construction, T6_4_SteepestSlopes) {
  struct Case {
    std::string_view text;
    double slope;
    double slope_tolerance;
    double at;
  };
  constexpr std::array<Case, 6> kCases{{{"and:4,or:4", 2.45, .005, .6687},
                                        {"or:4,and:4", 2.45, .005, .3313},
                                        {"and:2,or:3", 1.717, .0005, .4472},
                                        {"or:3,and:2", 1.954, .0005, .2632},
                                        {"and:2,or:2,and:2", 2.133, .0005, .7295},
                                        {"or:2,and:2,or:2,and:2", 2.369, .0005, .4127}}};
  for (const Case& c : kCases) {
    const Steepest steepest = steepest_point(made_of(c.text));
    EXPECT_NEAR(steepest.slope, c.slope, c.slope_tolerance) << c.text;
    EXPECT_NEAR(steepest.at, c.at, .00005) << c.text;
  }
}

TEST(Construction, RefusesWhatItCannotMean) {
  for (const std::string_view text :
       {"", "and", "and:", "and:0", "and:4,", ",and:4", "xor:4", "and:65537", "and:-1",
        "and:4;or:4", "and:4.5", "AND:4", "and:65536,or:65536,and:2"}) {
    EXPECT_FALSE(parse_construction(text)) << text;
  }
}

RC_GTEST_PROP(Construction, ReadsWhatItWrites, ()) {
  Construction construction;
  const auto steps = *rc::gen::inRange(1, 5);
  for (int i = 0; i < steps; ++i) {
    construction.push_back(
        {*rc::gen::element(ConstructionStep::Kind::all_agree, ConstructionStep::Kind::any_agrees),
         static_cast<std::uint32_t>(*rc::gen::inRange(1, 200))});
  }
  RC_ASSERT(parse_construction(construction_text(construction)) == construction);
}

RC_GTEST_PROP(Construction, OfABandingIsItsSCurve, ()) {
  const int bands = *rc::gen::inRange(1, 40);
  const int rows = *rc::gen::inRange(1, 20);
  const double s = *rc::gen::inRange(0, 1001) / 1000.0;
  const Construction construction = banding_construction(bands, rows);
  const Amplified amplified = amplify(construction, s);
  RC_ASSERT(amplified.found == candidate_probability(s, bands, rows));
  RC_ASSERT(amplified.missed == miss_probability(s, bands, rows));
  RC_ASSERT(std::abs(half_point(construction) - half_point(bands, rows)) < 1e-12);
  if (rows > 1 && rows * bands > rows) {
    RC_ASSERT(std::abs(steepest_point(construction).at - steepest_point(bands, rows).at) < 1e-5);
  }
  const auto shape = as_banding(construction);
  RC_ASSERT(shape && shape->bands == bands && shape->rows == rows);
}

}  // namespace
}  // namespace sosie
