// Tests of the order of sorted doubles.
#include "core/sort_doubles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace sosie {
namespace {

void expect_sorted_as_std(std::vector<double> values) {
  std::vector<double> expected = values;
  std::sort(expected.begin(), expected.end());
  sort_doubles(values);
  EXPECT_EQ(values, expected);
}

TEST(SortDoubles, SortsAsTheStandardLibraryDoes) {
  std::mt19937_64 random(1);
  for (const std::size_t size : {0U, 1U, 100U, 4096U, 20'000U}) {
    std::vector<double> values(size);
    for (double& value : values)
      value = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 600));
    expect_sorted_as_std(values);
    for (double& value : values) value = static_cast<double>(random() % 7);
    expect_sorted_as_std(values);
    for (double& value : values) value -= 3;
    expect_sorted_as_std(values);
  }
}

TEST(SortDoubles, TakesTheEndsOfTheRange) {
  std::vector<double> values(5000, 1);
  values[7] = std::numeric_limits<double>::infinity();
  values[8] = std::numeric_limits<double>::denorm_min();
  values[9] = std::numeric_limits<double>::max();
  values[10] = 0;
  expect_sorted_as_std(values);
  values[11] = -std::numeric_limits<double>::infinity();
  expect_sorted_as_std(values);
}

}  // namespace
}  // namespace sosie
