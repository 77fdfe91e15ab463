#include "core/rational.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(Rational, ReadsDecimalsAndFractionsExactly) {
  EXPECT_EQ(parse_rational("0.8"), (Rational{4, 5}));
  EXPECT_EQ(parse_rational("4/5"), (Rational{4, 5}));
  EXPECT_EQ(parse_rational(".80"), (Rational{4, 5}));
  EXPECT_EQ(parse_rational("1"), (Rational{1, 1}));
  EXPECT_EQ(parse_rational("1.0"), (Rational{1, 1}));
  EXPECT_EQ(parse_rational("0.333333333"), (Rational{333333333, 1000000000}));
  EXPECT_EQ(parse_rational("333333333/1000000000"), (Rational{333333333, 1000000000}));
  EXPECT_EQ(parse_rational("10.50"), (Rational{21, 2}));
}

TEST(Rational, RefusesWhatIsNoNumber) {
  for (const char* text : {"", ".", "abc", "-0.5", "0.8x", "1/0", "/", "1/", "8e-1", "0,8", "0.8 ",
                           "0.1234567891", "1234567890", "3.000000001", "2147483648/3", "nan"}) {
    EXPECT_FALSE(parse_rational(text).has_value()) << text;
  }
}

TEST(Rational, DecidesAtTheThresholdInIntegers) {
  EXPECT_TRUE(at_least(4, 5, {4, 5}));
  EXPECT_FALSE(at_least(799999999, 1000000000, {4, 5}));
  EXPECT_TRUE(at_least(9, 10, *parse_rational("0.9")));  // 1 - 0.9 is not 0.1 in doubles
  EXPECT_TRUE(at_least(0, 0, {1, 1}));
}

}  // namespace
}  // namespace sosie
