#include "core/real_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace sosie {
namespace {

std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

TEST(RealFunctions, ComeNearLibm) {
  for (int i = -3000; i <= 3000; ++i) {
    const double x = i / 100.0;
    EXPECT_NEAR(exponential(x) / std::exp(x), 1, 1e-14) << x;
    EXPECT_NEAR(arc_tangent(x), std::atan(x), 1e-15) << x;
    EXPECT_NEAR(arc_cosine_degrees(x / 30), std::acos(x / 30) * 180 / kPi, 1e-12) << x;
    if (i >= 0) {
      EXPECT_NEAR(normal_between_zero_and(x), std::erf(x / std::sqrt(2.0)) / 2, 1e-14) << x;
    }
  }
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    EXPECT_NEAR(logarithm(x) / std::log(x), 1, 1e-14) << x;
  }
}

TEST(RealFunctions, KnowTheirEnds) {
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-1e9), 0);
  EXPECT_TRUE(std::isinf(exponential(1e9)));
  EXPECT_EQ(logarithm(1), 0);
  EXPECT_EQ(arc_cosine_degrees(1), 0);
  EXPECT_EQ(arc_cosine_degrees(1.5), 0);
  EXPECT_EQ(arc_cosine_degrees(-1), 180);
  EXPECT_EQ(arc_cosine_degrees(0), 90);
  EXPECT_EQ(arc_cosine_degrees(-0.0), 90);
  EXPECT_EQ(arc_tangent(std::numeric_limits<double>::infinity()), kPi / 2);
  EXPECT_EQ(normal_between_zero_and(0), 0);
  EXPECT_EQ(normal_between_zero_and(40), 0.5);
}

// Results depend on these values, so they must never change.
TEST(RealFunctions, AreTheSameBitsEverywhere) {
  EXPECT_EQ(bits_of(exponential(-1.25)), 0x3FD25618372A584FULL);
  EXPECT_EQ(bits_of(logarithm(10)), 0x40026BB1BBB55516ULL);
  EXPECT_EQ(bits_of(arc_cosine_degrees(0.3)), 0x405222B6A163443DULL);
  EXPECT_EQ(bits_of(normal_between_zero_and(1.25)), 0x3FD93D08BB5158F7ULL);
}

}  // namespace
}  // namespace sosie
