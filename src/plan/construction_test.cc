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

// T-8.3: three squares agree with probability .2^3 * .8^3 for the same finger and .2^6 for two, two
// squares with .0256 and .0016.
TEST(Construction, OfFingerprintsIsThatOfTheBook) {
  constexpr double kSame = .004096;
  constexpr double kDifferent = .000064;
  const auto expect = [&](std::string_view text, double same, double different, double digit) {
    EXPECT_NEAR(amplify(made_of(text), kSame).found, same, 5e-5) << text;
    EXPECT_NEAR(amplify(made_of(text), kDifferent).found, different, digit) << text;
  };
  expect("or:1024", .9850, .0634, 5e-5);
  expect("or:1024,and:2", .9703, .00402, 5e-6);
  EXPECT_NEAR(1 / amplify(made_of("or:1024,and:2"), kDifferent).found, 248.5, .05);
  expect("or:2048", .99978, .1228, 5e-5);
  EXPECT_NEAR(amplify(made_of("or:2048"), kSame).found, .99978, 5e-6);

  const BestOr three = best_or(kSame, kDifferent);
  EXPECT_EQ(three.functions, 1030U);
  EXPECT_NEAR(three.missed + three.found, .0784, 5e-5);
  EXPECT_NEAR(amplify(made_of("or:100"), .0256).missed, .0748, 5e-5);
  EXPECT_NEAR(amplify(made_of("or:100"), .0016).found, .1480, 5e-5);
  const BestOr two = best_or(.0256, .0016);
  EXPECT_EQ(two.functions, 114U);
  EXPECT_NEAR(two.missed + two.found, .2189, 5e-5);
}

TEST(Construction, IsBandsAndWhatIsMadeOfThem) {
  EXPECT_EQ(as_bands(made_of("and:3,or:5")), (BandShape{5, 3}));
  EXPECT_EQ(as_bands(made_of("and:3")), (BandShape{1, 3}));
  EXPECT_EQ(as_bands(made_of("or:5,and:1")), (BandShape{5, 1}));
  EXPECT_EQ(as_bands(made_of("and:2,and:3,or:5,or:2")), (BandShape{10, 6}));
  EXPECT_EQ(as_bands(made_of("and:1,or:1")), (BandShape{1, 1}));
  const BandShape deep = as_bands(made_of("and:2,or:3,and:4,or:5"));
  EXPECT_EQ(deep.bands, 60);
  EXPECT_EQ(deep.rows, 2);
  EXPECT_FALSE(deep.is_banding());
  EXPECT_EQ(construction_text(construction_of(deep)), "and:2,or:3,and:4,or:5");
  EXPECT_EQ(bucketed_bands(deep), 15U);
  EXPECT_EQ(construction_text(construction_of(as_bands(made_of("or:8,and:2")))), "or:8,and:2");
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
