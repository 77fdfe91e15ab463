#include "sketch/collision_laws.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/mix64.h"
#include "core/real_functions.h"
#include "sketch/hash_families.h"

namespace sosie {
namespace {

TEST(CollisionLaws, T7_5_SegmentsOfGaussianAndCauchyLines) {
  constexpr std::array<double, 4> kDistances{.5, 1, 2, 4};
  constexpr std::array<double, 4> kGaussian{.6095, .3687, .1954, .0992};
  constexpr std::array<double, 4> kCauchy{.4487, .2794, .1531, .0788};
  for (std::size_t i = 0; i < kDistances.size(); ++i) {
    EXPECT_NEAR(gaussian_segment_collision_law(kDistances[i]), kGaussian[i], .00005);
    EXPECT_NEAR(cauchy_segment_collision_law(kDistances[i]), kCauchy[i], .00005);
  }
}

TEST(CollisionLaws, NeverRise) {
  for (const HashFamily& family : hash_families()) {
    const double end = std::isinf(family.largest_distance) ? 1e9 : family.largest_distance;
    double last = family.collision_probability(0);
    EXPECT_EQ(last, 1) << family.name;
    for (int i = 1; i <= 2000; ++i) {
      const double t = i / 2000.0;
      const double p = family.collision_probability(
          std::isinf(family.largest_distance) ? end * t * t * t * t * t * t : end * t);
      EXPECT_LE(p, last) << family.name << " at " << i;
      EXPECT_GE(p, 0) << family.name << " at " << i;
      last = p;
    }
  }
}

TEST(CollisionLaws, SeriesMeetTheClosedForms) {
  for (const auto law : {gaussian_segment_collision_law, cauchy_segment_collision_law}) {
    EXPECT_NEAR(law(100.0001) / law(99.9999), 1, 1e-5);
    EXPECT_NEAR(1e9 * law(1e9) / (1e6 * law(1e6)), 1, 1e-9);
  }
}

double uniform(std::uint64_t seed, std::uint64_t i) {
  return (static_cast<double>(random64(seed, i) >> 11) + 0.5) / 9007199254740992.0;
}

// A standard normal number (Box, Muller 1958); tests may use libm.
double normal(std::uint64_t seed, std::uint64_t i) {
  return std::sqrt(-2 * std::log(uniform(seed, 2 * i))) *
         std::cos(2 * kPi * uniform(seed, 2 * i + 1));
}

double cauchy(std::uint64_t seed, std::uint64_t i) {
  return std::tan(kPi * (uniform(seed, i) - 0.5));
}

// Frequency with which random lines with random offsets put 0 and a point at this distance along
// the first axis into the same segment of length 1; only the first component of a line matters.
template <typename Component>
double observed_collisions(double distance, std::uint64_t seed, int trials, Component component) {
  int same = 0;
  for (int i = 0; i < trials; ++i) {
    const auto n = static_cast<std::uint64_t>(i);
    const double offset = uniform(seed + 1000, n);
    same += std::floor(offset + distance * component(seed, n)) == 0 ? 1 : 0;
  }
  return static_cast<double>(same) / trials;
}

TEST(CollisionLaws, HoldForRandomSegments) {
  constexpr int kTrials = 40000;
  for (const double distance : {.25, 1.0, 3.0}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const double gaussian = gaussian_segment_collision_law(distance);
      const double error = 4 * std::sqrt(gaussian * (1 - gaussian) / kTrials);
      EXPECT_NEAR(observed_collisions(distance, seed, kTrials, normal), gaussian, error);
      const double law = cauchy_segment_collision_law(distance);
      EXPECT_NEAR(observed_collisions(distance, seed, kTrials, cauchy), law,
                  4 * std::sqrt(law * (1 - law) / kTrials));
    }
  }
}

}  // namespace
}  // namespace sosie
