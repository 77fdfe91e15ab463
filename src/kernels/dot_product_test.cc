#include "kernels/dot_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/mix64.h"
#include "kernels/on_every_target_test.h"

namespace sosie::kernels {
namespace {

template <typename T>
std::vector<T> components(std::uint64_t seed, std::size_t count) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = random64(seed, i);
    if constexpr (std::is_integral_v<T>) {
      out[i] = static_cast<T>(bits);
    } else {
      out[i] = static_cast<T>(static_cast<double>(bits % 2000001) / 1e6 - 1) *
               (bits >> 40 & 1 ? T{1} : T{1000});
    }
  }
  return out;
}

// Plain form of the header's definition, one component after another.
template <typename T, typename Term>
double expected(const std::vector<T>& x, const std::vector<T>& y, Term term) {
  std::array<double, 8> sums{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    sums[i % 8] += term(static_cast<double>(x[i]), static_cast<double>(y[i]));
  }
  double all = 0;
  for (const double sum : sums) all += sum;
  return all;
}

template <typename T>
void expect_sums(const std::vector<T>& x, const std::vector<T>& y, std::string_view target) {
  const std::size_t n = x.size();
  EXPECT_EQ(dot_product(x.data(), y.data(), n),
            expected(x, y, [](double a, double b) { return a * b; }))
      << target << " " << n;
  EXPECT_EQ(square_distance(x.data(), y.data(), n),
            expected(x, y, [](double a, double b) { return (a - b) * (a - b); }))
      << target << " " << n;
  EXPECT_EQ(sum_of_differences(x.data(), y.data(), n),
            expected(x, y, [](double a, double b) { return a < b ? b - a : a - b; }))
      << target << " " << n;
}

template <typename T>
class ComponentSums : public ::testing::Test {};
using Types = ::testing::Types<std::int8_t, std::uint8_t, float, double>;
TYPED_TEST_SUITE(ComponentSums, Types);

TYPED_TEST(ComponentSums, AreThoseOfTheSlowLoopOnEveryInstructionSet) {
  on_every_target([](std::string_view target) {
    for (std::size_t n = 0; n < 140; ++n) {
      expect_sums(components<TypeParam>(n, n), components<TypeParam>(~n, n), target);
    }
  });
}

TYPED_TEST(ComponentSums, HoldTheLargestIntegersOfTheLargestDimension) {
  if constexpr (std::is_integral_v<TypeParam>) {
    constexpr std::size_t kDimension = std::size_t{1} << 17;
    const std::vector<TypeParam> least(kDimension, std::numeric_limits<TypeParam>::min());
    const std::vector<TypeParam> most(kDimension, std::numeric_limits<TypeParam>::max());
    on_every_target([&](std::string_view target) {
      expect_sums(most, most, target);
      expect_sums(least, most, target);
      expect_sums(least, least, target);
    });
  }
}

// Includes the maximum number of components, all of maximum size.
TEST(DotProducts, AreThoseOfEachRow) {
  constexpr std::size_t kRows = 9;
  on_every_target([&](std::string_view target) {
    for (const std::size_t dimension : {1U, 3U, 16U, 63U, 64U, 128U, 1U << 17}) {
      std::vector<std::int8_t> x = components<std::int8_t>(1, dimension);
      std::vector<std::int8_t> rows = components<std::int8_t>(2, kRows * dimension);
      for (auto* all : {&x, &rows})
        std::replace(all->begin(), all->end(), std::int8_t{-128}, std::int8_t{0});
      if (dimension == 1U << 17) std::fill(x.begin(), x.end(), std::int8_t{127});
      if (dimension == 1U << 17) std::fill_n(rows.begin(), dimension, std::int8_t{-127});
      std::array<std::int64_t, kRows> out{};
      dot_products(x.data(), rows.data(), out.size(), dimension, out.data());
      for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(static_cast<double>(out[i]),
                  dot_product(x.data(), rows.data() + i * dimension, dimension))
            << target << " " << dimension;
      }
    }
  });
}

}  // namespace
}  // namespace sosie::kernels
