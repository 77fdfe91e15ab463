#include "core/rational.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace sosie {
namespace {

__extension__ using Wide = unsigned __int128;

std::optional<Rational> parse_upper_bound(std::string_view text) {
  return parse_bound(text, BoundSide::not_above);
}

TEST(Rational, ReadsDecimalsAndFractionsExactly) {
  EXPECT_EQ(parse_rational("0.8"), (Rational{4, 5}));
  EXPECT_EQ(parse_rational("4/5"), (Rational{4, 5}));
  EXPECT_EQ(parse_rational(".80"), (Rational{4, 5}));
  EXPECT_EQ(parse_rational("1"), (Rational{1, 1}));
  EXPECT_EQ(parse_rational("1.0"), (Rational{1, 1}));
  EXPECT_EQ(parse_rational("0"), (Rational{0, 1}));
  EXPECT_EQ(parse_rational("0.333333333"), (Rational{333333333, 1000000000}));
  EXPECT_EQ(parse_rational("333333333/1000000000"), (Rational{333333333, 1000000000}));
  EXPECT_EQ(parse_rational("10.50"), (Rational{21, 2}));
  EXPECT_EQ(parse_rational("1234567890"), (Rational{1234567890, 1}));
}

TEST(Rational, ReadsPowersOfTen) {
  EXPECT_EQ(parse_rational("1e-1"), (Rational{1, 10}));
  EXPECT_EQ(parse_rational("8E-1"), (Rational{4, 5}));
  EXPECT_EQ(parse_rational("0.05e+1"), (Rational{1, 2}));
  EXPECT_EQ(parse_rational("2.5e2"), (Rational{250, 1}));
  EXPECT_EQ(parse_rational("0e9"), (Rational{0, 1}));
}

TEST(Rational, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"",      ".",     "abc",   "-0.5", "0.8x", "1/0", "/",      "1/",    "e-1", "1e",
        "1e+-1", "1e++1", "8e1.5", "0,8",  "0.8 ", "nan", "1e-1/2", "0x1p2", "+1",  "inf"}) {
    EXPECT_FALSE(parse_rational(text).has_value()) << text;
  }
}

TEST(Rational, RefusesNumbersOf2To31AndMore) {
  EXPECT_EQ(parse_rational("2147483647"), (Rational{2147483647, 1}));
  for (const char* text : {"2147483648", "1e10", "1e300", "6442450944/2"}) {
    EXPECT_FALSE(parse_rational(text).has_value()) << text;
  }
}

TEST(Rational, LongNumbersDecideAsTheyAreWritten) {
  EXPECT_EQ(parse_rational("0.9999999999999999999"), (Rational{1, 1}));
  const Rational three = *parse_upper_bound("2.9999999999999999999");
  EXPECT_LT(three.num, 3 * three.den);
  EXPECT_EQ(parse_rational("0.5000000000000000000"), (Rational{1, 2}));
  const Rational third = *parse_rational("0.3333333333333333333");
  EXPECT_EQ(third, (Rational{1, 3}));
  const Rational below = *parse_upper_bound("0.3333333333333333333");
  EXPECT_LT(below.num * 3, below.den);
  EXPECT_EQ(parse_rational("1e-300"), (Rational{1, 2147483647}));
  EXPECT_EQ(parse_upper_bound("1e-300"), (Rational{0, 1}));
}

RC_GTEST_PROP(Rational, NearestFractionsDecideLikeNumbersOf18Digits, ()) {
  constexpr std::uint64_t kDen = 1'000'000'000'000'000'000;
  const auto num = *rc::gen::inRange<std::uint64_t>(0, kDen);
  const std::string digits = std::to_string(kDen + num).substr(1);
  const Rational up = *parse_rational("0." + digits);
  const Rational down = *parse_upper_bound("0." + digits);
  const auto whole = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 31);
  const auto near = static_cast<std::uint64_t>(Wide{num} * whole / kDen);
  for (std::uint64_t part = near; part <= near + 1 && part <= whole; ++part) {
    RC_ASSERT((Wide{part} * kDen >= Wide{num} * whole) == at_least(part, whole, up));
    RC_ASSERT((Wide{part} * kDen <= Wide{num} * whole) == (part * down.den <= whole * down.num));
  }
}

TEST(Rational, FineOnesKeepEighteenDigits) {
  EXPECT_EQ(parse_rational("0.5000000001")->den < (std::uint64_t{1} << 31), true);
  EXPECT_EQ(parse_fine_rational("0.5000000001"), (Rational{5'000'000'001, 10'000'000'000}));
  EXPECT_EQ(parse_fine_rational("0.123456789012345679"),
            (Rational{123'456'789'012'345'679, 1'000'000'000'000'000'000}));
  EXPECT_EQ(parse_fine_rational("4/5"), (Rational{4, 5}));
  EXPECT_FALSE(parse_fine_rational("four"));
}

TEST(Bound, OfMoreDigitsThanItsTermsIsTheNearestDouble) {
  for (const BoundSide side : {BoundSide::not_below, BoundSide::not_above}) {
    EXPECT_EQ(parse_bound("0.09999999999", side)->value(), 0.09999999999);
    EXPECT_EQ(parse_bound("1e-12", side)->value(), 1e-12);
    EXPECT_EQ(parse_bound("1e-400", side)->value(), 0);
    EXPECT_EQ(parse_bound("2000000000.25", side)->value(), 2000000000.25);
    EXPECT_EQ(parse_bound("1/3000000000", side)->value(), 1 / 3e9);
    EXPECT_FALSE(parse_bound("1e-12", side)->is_whole);
    EXPECT_EQ(parse_bound("0.1", side)->value(), 0.1);
    EXPECT_TRUE(parse_bound("0.1", side)->is_whole);
    EXPECT_FALSE(parse_bound("2147483648", side));
    EXPECT_FALSE(parse_bound("x", side));
  }
  EXPECT_EQ(parse_signed_rational("-1e-12")->value(), -1e-12);
}

TEST(Bound, IsLessByItsNumberAndThenByItsTerms) {
  const auto of = [](const char* text) { return *parse_bound(text, BoundSide::not_above); };
  EXPECT_TRUE(is_less(of("0.09999999999"), of("0.1")));
  EXPECT_TRUE(is_less(of("1e-12"), of("2e-12")));
  EXPECT_FALSE(is_less(of("0.1"), of("0.09999999999")));
  EXPECT_FALSE(is_less(of("1/10"), of("0.1")));
  EXPECT_EQ(of("1/10"), of("0.1"));
}

TEST(Rational, ReadsNumbersBelowZeroWhereTheyAreAsked) {
  EXPECT_EQ(parse_signed_rational("-0.5"), (SignedRational{{1, 2}, true}));
  EXPECT_EQ(parse_signed_rational("-0.5")->value(), -0.5);
  EXPECT_EQ(parse_signed_rational("-0"), (SignedRational{{0, 1}}));
  EXPECT_EQ(parse_signed_rational("3/2"), (SignedRational{{3, 2}}));
  EXPECT_FALSE(parse_signed_rational("--1"));
}

TEST(Rational, DecidesAtTheThresholdInIntegers) {
  EXPECT_TRUE(at_least(4, 5, {4, 5}));
  EXPECT_FALSE(at_least(799999999, 1000000000, {4, 5}));
  EXPECT_TRUE(at_least(9, 10, *parse_rational("0.9")));  // 1 - 0.9 is not 0.1 in doubles
  EXPECT_TRUE(at_least(0, 0, {1, 1}));
}

}  // namespace
}  // namespace sosie
