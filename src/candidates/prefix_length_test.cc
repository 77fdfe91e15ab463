// Tests of bounds derived from set sizes: the values in the book, and the largest partner by
// definition.
#include "candidates/prefix_length.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/measures.h"

namespace sosie {
namespace {

const Measure kBoundedJaccard = *set_measure("jaccard");

Rational bounded_threshold(std::string_view text) { return *parse_rational(text); }

TEST(SizeBounds, T9_1_Lengths) {
  EXPECT_EQ(kBoundedJaccard.largest_partner(9, 9, bounded_threshold("0.9")), 10U);
  EXPECT_EQ(kBoundedJaccard.largest_partner(8, 8, bounded_threshold("0.9")), 8U);
  EXPECT_EQ(kBoundedJaccard.largest_partner(20, 20, bounded_threshold("0.85")), 23U);
  EXPECT_EQ(kBoundedJaccard.largest_partner(20, 20, bounded_threshold("0.95")), 21U);
  EXPECT_EQ(kBoundedJaccard.largest_partner(20, 20, bounded_threshold("0.98")), 20U);
}

TEST(SizeBounds, T9_2_Prefixes) {
  EXPECT_EQ(prefix_length(kBoundedJaccard, 9, bounded_threshold("0.9")), 1U);
  EXPECT_EQ(prefix_length(kBoundedJaccard, 10, bounded_threshold("0.9")), 2U);
  EXPECT_EQ(prefix_length(kBoundedJaccard, 15, bounded_threshold("0.85")), 3U);
  EXPECT_EQ(prefix_length(kBoundedJaccard, 15, bounded_threshold("0.95")), 1U);
  EXPECT_EQ(prefix_length(kBoundedJaccard, 5, bounded_threshold("0.8")), 2U);  // doubles say 1
  for (std::uint64_t thousandths = 1; thousandths <= 1000; ++thousandths) {
    const bool four = thousandths > 733 && thousandths <= 800;
    EXPECT_EQ(prefix_length(kBoundedJaccard, 15, {thousandths, 1000}) == 4, four) << thousandths;
  }
}

// The pairs (i, j), counted from 1, that the position filter leaves.
std::set<std::pair<int, int>> positions_left(std::uint64_t size, const char* t) {
  std::set<std::pair<int, int>> left;
  for (std::uint64_t i = 0; i < prefix_length(kBoundedJaccard, size, bounded_threshold(t)); ++i) {
    for (std::int64_t j = 0; j <= last_position(kBoundedJaccard, size, i, bounded_threshold(t));
         ++j) {
      left.emplace(static_cast<int>(i + 1), static_cast<int>(j + 1));
    }
  }
  return left;
}

TEST(SizeBounds, T9_3_Positions) {
  using Pairs = std::set<std::pair<int, int>>;
  EXPECT_EQ(positions_left(10, "0.9"), (Pairs{{1, 1}, {1, 2}, {2, 1}}));
  EXPECT_EQ(
      positions_left(12, "0.75"),
      (Pairs{
          {1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 1}, {2, 2}, {2, 3}, {3, 1}, {3, 2}, {4, 1}}));
  EXPECT_EQ(positions_left(12, "0.95"), (Pairs{{1, 1}}));
}

// The buckets (j, q) of the suffix index in which a set of this size is looked up, by i. Here, i
// and j count from 1, and q tokens follow position j.
using SuffixBuckets = std::map<int, std::set<std::pair<int, int>>>;

SuffixBuckets suffix_buckets(std::uint32_t size, const char* t) {
  SuffixBuckets buckets;
  const Rational limit = bounded_threshold(t);
  for (std::uint32_t i = 0; i < prefix_length(kBoundedJaccard, size, limit); ++i) {
    for (auto other = static_cast<std::uint32_t>(kBoundedJaccard.smallest_partner(size, limit));
         other <= kBoundedJaccard.largest_partner(size, size, limit); ++other) {
      for (std::uint32_t j = 0; j < prefix_length(kBoundedJaccard, other, limit); ++j) {
        const std::uint32_t mine = size - i;
        const std::uint32_t theirs = other - j;
        const std::uint32_t apart = i + j + std::max(mine, theirs) - std::min(mine, theirs);
        if (apart > kBoundedJaccard.largest_difference(size, other, limit)) continue;
        buckets[static_cast<int>(i) + 1].emplace(static_cast<int>(j) + 1,
                                                 static_cast<int>(theirs) - 1);
      }
    }
  }
  return buckets;
}

// Numbers of buckets, by i.
std::vector<std::size_t> counts_of(const SuffixBuckets& buckets) {
  std::vector<std::size_t> counts;
  for (const auto& [i, of_one] : buckets) counts.push_back(of_one.size());
  return counts;
}

TEST(SizeBounds, T9_4_SuffixLengths) {
  EXPECT_EQ(suffix_buckets(10, "0.8"),
            (SuffixBuckets{
                {1, {{1, 7}, {1, 8}, {1, 9}, {1, 10}, {1, 11}, {2, 8}, {2, 9}, {2, 10}, {3, 9}}},
                {2, {{1, 7}, {1, 8}, {1, 9}, {2, 8}}},
                {3, {{1, 7}}}}));
  EXPECT_EQ(counts_of(suffix_buckets(10, "0.8")), (std::vector<std::size_t>{9, 4, 1}));
  const auto of_nine_tenths = counts_of(suffix_buckets(20, "0.9"));
  EXPECT_EQ(std::accumulate(of_nine_tenths.begin(), of_nine_tenths.end(), std::size_t{0}), 14U);
  EXPECT_EQ(counts_of(suffix_buckets(20, "0.8")), (std::vector<std::size_t>{31, 16, 9, 4, 1}));
}

constexpr std::uint64_t kAnySize = ~std::uint32_t{0};

TEST(SizeBounds, TheLargestPartnerIsTheLastForWhichTheOverlapWillDo) {
  for (const Measure& measure : usual_set_measures()) {
    for (const char* t : {"0.01", "1/3", "0.5", "0.8", "0.9", "1"}) {
      for (std::uint64_t size = 1; size <= 30; ++size) {
        for (std::uint64_t shared = 1; shared <= size; ++shared) {
          const std::uint64_t last = measure.largest_partner(size, shared, bounded_threshold(t));
          if (last < kAnySize) {
            EXPECT_GT(measure.least_overlap(size, last + 1, bounded_threshold(t)), shared);
          }
          if (last == 0) continue;
          EXPECT_LE(measure.least_overlap(size, last, bounded_threshold(t)), shared);
        }
        const std::uint64_t least = measure.smallest_partner(size, bounded_threshold(t));
        EXPECT_TRUE(measure.sizes_can_reach(size, least, bounded_threshold(t)));
        if (least == 1) continue;
        EXPECT_FALSE(measure.sizes_can_reach(size, least - 1, bounded_threshold(t)));
      }
    }
  }
}

}  // namespace
}  // namespace sosie
