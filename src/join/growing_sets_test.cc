// Exact look-ups among sets that come one by one: the first similar one, as comparing with each
// finds.
#include "join/growing_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/hash64.h"
#include "verify/measures.h"

namespace sosie {
namespace {

std::vector<std::uint64_t> near_set(std::mt19937_64& random, std::uint64_t universe) {
  std::vector<std::uint64_t> set;
  for (std::uint64_t number = 0; number < universe; ++number) {
    if (random() % 3 != 0) set.push_back(mix64(number + 1));
  }
  std::sort(set.begin(), set.end());
  return set;
}

// Adds each set that is like none before it, and compares what is found with the definition.
void expect_first_of_all(std::string_view measure_name, const Rational& threshold,
                         std::uint64_t universe, std::size_t sets) {
  const Measure measure = *set_measure(measure_name);
  std::mt19937_64 random(universe);
  GrowingSets growing(measure, threshold);
  std::vector<std::vector<std::uint64_t>> kept;
  std::size_t found = 0;
  for (std::size_t i = 0; i < sets; ++i) {
    const auto set = near_set(random, i % 50 == 0 ? 0 : universe);
    const auto first = std::find_if(kept.begin(), kept.end(), [&](const auto& other) {
      return !set.empty() && !other.empty() &&
             measure.reaches(measure.overlap(set, other), threshold);
    });
    const auto hit = growing.first_similar(set);
    ASSERT_EQ(hit.has_value(), first != kept.end()) << i;
    if (hit) {
      ++found;
      ASSERT_EQ(hit->position, static_cast<Place>(first - kept.begin())) << i;
      ASSERT_EQ(hit->overlap.shared, measure.overlap(set, *first).shared) << i;
    } else {
      growing.add(set);
      kept.push_back(set);
    }
  }
  EXPECT_GT(found, sets / 20);
  EXPECT_GT(kept.size(), sets / 20);
  EXPECT_GE(growing.listed(), growing.verified());
  EXPECT_GT(growing.verified(), found);
}

TEST(GrowingSets, FindTheFirstOfAllThatAreSimilar) {
  expect_first_of_all("jaccard", {6, 10}, 24, 3000);
  expect_first_of_all("jaccard", {8, 10}, 18, 3000);
  expect_first_of_all("dice", {7, 10}, 30, 2000);
}

TEST(GrowingSets, AreSimilarToNothingWhenThereIsNone) {
  const Measure jaccard = *set_measure("jaccard");
  GrowingSets growing(jaccard, {1, 2});
  const std::vector<std::uint64_t> one = {mix64(1)};
  EXPECT_FALSE(growing.first_similar(one));
  growing.add({});
  growing.add(one);
  EXPECT_FALSE(growing.first_similar({}));
  EXPECT_EQ(growing.first_similar(one)->position, Place{1});
}

}  // namespace
}  // namespace sosie
