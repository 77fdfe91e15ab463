// Tests of exact look-ups among sets that are added one by one: they find the first similar set,
// like comparing with each.
#include "join/sets/incremental_set_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "core/mix64.h"
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

using Sets = std::vector<std::vector<std::uint64_t>>;

// Place of the first set that is similar by definition; the number of sets if there is none.
std::size_t first_similar_of(const Sets& sets, SetView set, const Measure& measure,
                             const Rational& threshold) {
  std::size_t place = 0;
  while (place < sets.size() && (set.empty() || sets[place].empty() ||
                                 !measure.reaches(measure.overlap(set, sets[place]), threshold))) {
    ++place;
  }
  return place;
}

// Place and value of the set that was found.
using Hit = std::pair<std::size_t, double>;

// Adds each set that is not similar to an earlier one, and compares each result with the
// definition.
void expect_first_of_all(std::string_view measure_name, const Rational& threshold,
                         std::uint64_t universe, std::size_t sets) {
  const Measure measure = *set_measure(measure_name);
  std::mt19937_64 random(universe);
  IncrementalSetIndex growing(measure, threshold);
  Sets kept;
  std::vector<Hit> hits;
  std::vector<Hit> expected;
  for (std::size_t i = 0; i < sets; ++i) {
    const auto set = near_set(random, i % 50 == 0 ? 0 : universe);
    const std::size_t first = first_similar_of(kept, set, measure, threshold);
    const auto hit = growing.first_similar(set);
    if (hit) hits.emplace_back(hit->position, measure.shown(hit->overlap));
    if (first < kept.size()) {
      expected.emplace_back(first, measure.shown(measure.overlap(set, kept[first])));
      continue;
    }
    growing.add(set);
    kept.push_back(set);
  }
  EXPECT_EQ(hits, expected);
  EXPECT_GT(std::min(hits.size(), kept.size()), sets / 20);
  EXPECT_TRUE(growing.listed() >= growing.verified() && growing.verified() > hits.size());
}

TEST(IncrementalSetIndex, FindTheFirstOfAllThatAreSimilar) {
  expect_first_of_all("jaccard", {6, 10}, 24, 3000);
  expect_first_of_all("jaccard", {8, 10}, 18, 3000);
  expect_first_of_all("dice", {7, 10}, 30, 2000);
}

TEST(IncrementalSetIndex, AreSimilarToNothingWhenThereIsNone) {
  const Measure jaccard = *set_measure("jaccard");
  IncrementalSetIndex growing(jaccard, {1, 2});
  const std::vector<std::uint64_t> one = {mix64(1)};
  EXPECT_FALSE(growing.first_similar(one));
  growing.add({});
  growing.add(one);
  EXPECT_FALSE(growing.first_similar({}));
  EXPECT_EQ(growing.first_similar(one)->position, Place{1});
}

}  // namespace
}  // namespace sosie
