#include "sketch/standard_normal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr int kNumbers = 100000;

// The largest difference between the empirical distribution of some numbers and a law; if the law
// is true, its 0.001 quantile is 1.95 / sqrt(n) (Kolmogorov).
template <typename Law>
double distance_to_law(double (*number)(std::uint64_t, std::uint64_t), std::uint64_t seed,
                       Law law) {
  std::vector<double> numbers(kNumbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number(seed, i);
  std::sort(numbers.begin(), numbers.end());
  double most = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double below = law(numbers[i]);
    most = std::max({most, below - static_cast<double>(i) / kNumbers,
                     static_cast<double>(i + 1) / kNumbers - below});
  }
  return most;
}

TEST(RandomReals, FollowTheirLaws) {
  const double most = 1.95 / std::sqrt(kNumbers);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_LT(distance_to_law(uniform_number, seed, [](double x) { return x; }), most);
    EXPECT_LT(distance_to_law(standard_normal, seed,
                              [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }),
              most);
    EXPECT_LT(
        distance_to_law(standard_cauchy, seed, [](double x) { return 0.5 + std::atan(x) / kPi; }),
        most);
  }
}

TEST(RandomReals, NeighboursAreNotCorrelated) {
  double sum = 0;
  for (std::uint64_t i = 0; i < kNumbers; ++i) {
    sum += standard_normal(3, i) * standard_normal(3, i + 1);
  }
  EXPECT_LT(std::fabs(sum / kNumbers), 4 / std::sqrt(kNumbers));
}

// These values are part of the recipe: other bits would change results everywhere.
TEST(RandomReals, ArePinned) {
  EXPECT_EQ(uniform_number(1, 0), 0x1.22145bd91204bp-1);
  EXPECT_EQ(standard_normal(1, 0), -0x1.44b6e7faf4a51p-3);
  EXPECT_EQ(standard_normal(7, 123456), 0x1.ac50476f6cccep-2);
  EXPECT_EQ(standard_cauchy(1, 0), -0x1.304b43dd9793bp-2);
}

}  // namespace
}  // namespace sosie
