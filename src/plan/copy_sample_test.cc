// Distinct texts of made collections, estimated from samples of their rows.
#include "plan/copy_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sosie {
namespace {

// A collection in which some texts occur `times` times each.
struct Copied {
  std::uint64_t texts;
  std::uint64_t times;
};

std::vector<std::uint64_t> rows_of(const std::vector<Copied>& groups) {
  std::vector<std::uint64_t> rows;
  std::uint64_t text = 0;
  for (const Copied& group : groups) {
    for (std::uint64_t i = 0; i < group.texts; ++i, ++text) {
      rows.insert(rows.end(), group.times, mix64(text));
    }
  }
  return rows;
}

std::uint64_t distinct_texts(const std::vector<Copied>& groups) {
  std::uint64_t sum = 0;
  for (const Copied& group : groups) sum += group.texts;
  return sum;
}

// The sample has every row of the first `seen` whose random number is small.
CopySample sample_of(const std::vector<std::uint64_t>& rows, std::uint64_t seen,
                     std::uint64_t each) {
  CopySample sample;
  for (std::uint64_t i = 0; i < seen; ++i) {
    if (random64(7, i) % each != 0) continue;
    sample.add(rows[i], i < seen / 2 ? CopySample::Part::first : CopySample::Part::second);
  }
  return sample;
}

void shuffle(std::vector<std::uint64_t>& rows) {
  for (std::uint64_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random64(3, i) % i]);
}

TEST(CopySample, WithoutCopiesEveryRowIsDistinct) {
  const std::vector<std::uint64_t> rows = rows_of({{50'000, 1}});
  EXPECT_EQ(sample_of(rows, 50'000, 16).distinct_among(50'000, 50'000), 50'000U);
  EXPECT_EQ(CopySample().distinct_among(10, 10), 10U);
  EXPECT_EQ(CopySample().distinct_among(0, 0), 0U);
}

TEST(CopySample, CountsTheTextsOfAllRowsIfItHasThemAll) {
  const std::vector<Copied> groups{{1000, 1}, {300, 2}, {7, 500}};
  const std::vector<std::uint64_t> rows = rows_of(groups);
  EXPECT_EQ(sample_of(rows, rows.size(), 1).distinct_among(rows.size(), rows.size()), 1307U);
}

TEST(CopySample, EstimatesTheTextsOfAllRowsFromAFewOfThem) {
  const std::vector<std::vector<Copied>> collections{
      {{50'000, 2}},
      {{10'000, 10}},
      {{100'000, 1}, {1, 100'000}},
      {{50'000, 1}, {5'000, 10}},
      {{30'000, 1}, {3'000, 5}, {200, 100}, {3, 10'000}}};
  for (const std::vector<Copied>& groups : collections) {
    std::vector<std::uint64_t> rows = rows_of(groups);
    shuffle(rows);
    const auto distinct = static_cast<double>(distinct_texts(groups));
    for (const std::uint64_t seen : {rows.size(), rows.size() / 4}) {
      const CopySample sample = sample_of(rows, seen, 8);
      const auto told = static_cast<double>(sample.distinct_among(rows.size(), seen));
      const double apart = seen == rows.size() ? 1.35 : 1.75;  // an eighth or 1/32 of the rows
      EXPECT_GT(told, distinct / apart) << distinct << " in " << rows.size() << ", " << seen;
      EXPECT_LT(told, distinct * apart) << distinct << " in " << rows.size() << ", " << seen;
    }
  }
}

TEST(CopySample, CopiesThatFollowEachOtherDoNotFillRowsThatWereNotSeen) {
  const std::vector<std::uint64_t> rows = rows_of({{20'000, 10}});
  const std::uint64_t seen = rows.size() / 10;
  const auto told = static_cast<double>(sample_of(rows, seen, 8).distinct_among(rows.size(), seen));
  EXPECT_NEAR(told, 20'000, 5'000);
}

TEST(CopySample, KeepsSomeOfVeryManyTexts) {
  std::vector<std::uint64_t> rows = rows_of({{200'000, 1}, {100'000, 4}});
  shuffle(rows);
  const auto told =
      static_cast<double>(sample_of(rows, rows.size(), 1).distinct_among(rows.size(), rows.size()));
  EXPECT_NEAR(told, 300'000, 6'000);
}

}  // namespace
}  // namespace sosie
