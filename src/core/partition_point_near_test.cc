// Tests that a search that starts from a guess gives the same result as one without, whatever the
// guess.
#include "core/partition_point_near.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/mix64.h"

namespace sosie {
namespace {

TEST(PartitionPointNear, IsThePartitionPointFromEveryGuess) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<std::uint64_t> numbers(size);
    for (std::size_t i = 0; i < size; ++i) numbers[i] = random64(size, i) % 50;
    std::sort(numbers.begin(), numbers.end());
    for (std::uint64_t value = 0; value <= 51; ++value) {
      const auto is_before = [&](std::uint64_t number) { return number < value; };
      const auto expected = std::partition_point(numbers.begin(), numbers.end(), is_before);
      for (std::size_t guess = 0; guess < size + 3; ++guess) {
        ASSERT_EQ(partition_point_near(numbers.begin(), numbers.end(), guess, is_before), expected)
            << size << " " << value << " " << guess;
      }
    }
  }
}

TEST(PartitionPointNear, TestsFewElementsFromAGoodGuess) {
  std::vector<std::uint64_t> numbers(1'000'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  int tested = 0;
  const auto is_before = [&](std::uint64_t number) {
    ++tested;
    return number < 500'003;
  };
  EXPECT_EQ(*partition_point_near(numbers.begin(), numbers.end(), 500'000, is_before), 500'003U);
  EXPECT_LE(tested, 8);
}

}  // namespace
}  // namespace sosie
