#include "verify/tversky.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "verify/measures.h"

namespace sosie {
namespace {

__extension__ using Wide = unsigned __int128;

Overlap weighed_overlap(std::uint32_t shared, std::uint32_t left, std::uint32_t right) {
  return {shared, left + right - shared, left};
}

Measure tversky(Rational a, Rational b) { return *tversky_measure(std::array{a, b}); }

// S >= t by definition, with fractions brought to a common denominator.
bool reaches_by_definition(Rational a, Rational b, const Overlap& o, const Rational& t) {
  const Wide only_left = o.left - o.shared;
  const Wide only_right = o.right() - o.shared;
  const Wide whole = Wide{a.den} * b.den;
  const Wide below = o.shared * whole + a.num * b.den * only_left + b.num * a.den * only_right;
  return below == 0 || o.shared * whole * t.den >= below * t.num;
}

RC_GTEST_PROP(Tversky, IsDecidedAsItIsDefined, ()) {
  const auto number = [] {
    const auto den = *rc::gen::inRange<std::uint64_t>(1, 12);
    return *parse_rational(std::to_string(*rc::gen::inRange<std::uint64_t>(0, 24)) + "/" +
                           std::to_string(den));
  };
  const Rational a = number();
  const Rational b = number();
  RC_PRE(a.num + b.num > 0);
  const Measure measure = tversky(a, b);
  RC_ASSERT(measure.is_ordered() == (a != b));
  const auto left = *rc::gen::inRange<std::uint32_t>(1, 40);
  const auto right = *rc::gen::inRange<std::uint32_t>(1, 40);
  const auto den = *rc::gen::inRange<std::uint64_t>(1, 13);
  const Rational t{*rc::gen::inRange<std::uint64_t>(1, den + 1), den};
  for (std::uint32_t shared = 0; shared <= std::min(left, right); ++shared) {
    const Overlap overlap = weighed_overlap(shared, left, right);
    const bool reaches = reaches_by_definition(a, b, overlap, t);
    RC_ASSERT(measure.left_reaches(overlap, t) == reaches);
    const bool either = reaches || reaches_by_definition(a, b, overlap.flipped(), t);
    RC_ASSERT(measure.reaches(overlap, t) == either);
    RC_ASSERT((shared >= measure.least_overlap(left, right, t)) == either);
  }
}

TEST(Tversky, SumsOfTheLargestSetsAndWeightsStayExact) {
  const std::uint32_t large = 2'000'000'000;
  const Measure measure = tversky({1'000'000'000, 1}, {999'999'999, 1});
  EXPECT_TRUE(measure.reaches({large, large, large}, {1, 1}));
  EXPECT_FALSE(measure.reaches({large - 1, large, large}, {1, 1}));
  EXPECT_TRUE(measure.is_above({large, large, large}, {large - 1, large, large}));
  EXPECT_EQ(measure.fraction({1, 4'000'000'001, 2'000'000'001}).below,
            1 + 3'999'999'998'000'000'000ULL + 2'000'000'000'000'000'000ULL -
                2'000'000'000'000'000'000ULL);
}

TEST(Tversky, UsualParametersAreOtherMeasures) {
  const std::array<std::pair<const char*, const char*>, 3> same = {
      {{"1,1", "jaccard"}, {"0.5,0.5", "dice"}, {"1,0", "containment"}}};
  for (const auto& [parameters, name] : same) {
    const std::string typed = std::string("tversky:") + parameters;
    EXPECT_EQ(set_measure(typed, kSetItems)->name, name);
    const auto comma = std::string_view(parameters).find(',');
    const Measure general =
        tversky(*parse_rational(std::string_view(parameters).substr(0, comma)),
                *parse_rational(std::string_view(parameters).substr(comma + 1)));
    const Measure own = *set_measure(name);
    EXPECT_EQ(general.is_ordered(), own.is_ordered());
    for (std::uint32_t shared = 0; shared <= 6; ++shared) {
      const Overlap overlap = weighed_overlap(shared, 6, 9);
      EXPECT_DOUBLE_EQ(general.similarity(overlap), own.similarity(overlap));
      EXPECT_EQ(general.reaches(overlap, {1, 3}), own.reaches(overlap, {1, 3}));
    }
  }
  EXPECT_EQ(set_measure("tversky:1,1", kBagItems)->name, "tversky");  // bags have no jaccard
}

TEST(Tversky, RefusesWhatIsNoMeasure) {
  for (const char* typed : {"tversky", "tversky:", "tversky:1", "tversky:1,1,1", "tversky:0,0",
                            "tversky:-1,1", "tversky:a,b", "tversky:1,", "tversky:2000000000,1",
                            "tversky:1/1000003,1/1000033", "jaccard:1"}) {
    EXPECT_FALSE(typed_measure(typed)) << typed;
  }
  EXPECT_TRUE(typed_measure("tversky:1/3,0.25"));
}

}  // namespace
}  // namespace sosie
