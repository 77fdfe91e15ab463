#include "verify/jaccard.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

#include "reference/jaccard.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;

// The columns of a matrix of 0 and 1, given as one string per row.
std::vector<Set> columns_of(const std::vector<std::string>& rows) {
  std::vector<Set> columns(rows.front().size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (rows[row][c] == '1') columns[c].push_back(row);
    }
  }
  return columns;
}

TEST(Jaccard, T1_1_TextbookSets) {
  EXPECT_DOUBLE_EQ(jaccard(Set{1, 2, 3, 4, 5}, Set{3, 4, 5, 6, 7, 8}), 3.0 / 8);
  EXPECT_DOUBLE_EQ(jaccard(Set{1, 2, 3, 4}, Set{2, 3, 5, 7}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(jaccard(Set{1, 2, 3, 4}, Set{2, 4, 6}), 2.0 / 5);
  EXPECT_DOUBLE_EQ(jaccard(Set{2, 3, 5, 7}, Set{2, 4, 6}), 1.0 / 6);
  EXPECT_DOUBLE_EQ(jaccard(Set{'a', 'd'}, Set{'b', 'd', 'e'}), 1.0 / 4);
  EXPECT_DOUBLE_EQ(jaccard(Set{1, 3, 4, 5}, Set{1, 4, 5}), 3.0 / 4);  // bit columns 10111, 10011
}

TEST(Jaccard, T1_1_MatrixColumns) {
  const auto c = columns_of({"1110", "1101", "0101", "0001", "1001", "1110", "1010"});
  EXPECT_DOUBLE_EQ(jaccard(c[0], c[1]), 1.0 / 2);
  EXPECT_DOUBLE_EQ(jaccard(c[0], c[2]), 3.0 / 5);
  EXPECT_DOUBLE_EQ(jaccard(c[0], c[3]), 2.0 / 7);
  EXPECT_DOUBLE_EQ(jaccard(c[1], c[2]), 2.0 / 5);
  EXPECT_DOUBLE_EQ(jaccard(c[1], c[3]), 1.0 / 3);
  EXPECT_DOUBLE_EQ(jaccard(c[2], c[3]), 0.0);
}

TEST(Jaccard, T5_2_DistancesOfTextbookSets) {
  Measure distance = *set_measure("jaccard");
  distance.shows_distance = true;
  const auto shown = [&](const Set& left, const Set& right) {
    return distance.shown(distance.overlap(left, right));
  };
  EXPECT_DOUBLE_EQ(shown({1, 2, 3, 4}, {2, 3, 4, 5}), 0.4);
  EXPECT_DOUBLE_EQ(shown({1, 2, 3}, {4, 5, 6}), 1);
}

TEST(Jaccard, OfTwoEmptySetsIsOne) {
  EXPECT_DOUBLE_EQ(jaccard(Set{}, Set{}), 1.0);
  EXPECT_DOUBLE_EQ(jaccard(Set{}, Set{1}), 0.0);
}

RC_GTEST_PROP(Jaccard, MatchesTheDefinition, ()) {
  const auto element = rc::gen::inRange<std::uint64_t>(0, 32);
  const auto a = *rc::gen::container<std::set<std::uint64_t>>(element);
  const auto b = *rc::gen::container<std::set<std::uint64_t>>(element);
  RC_ASSERT(jaccard(Set(a.begin(), a.end()), Set(b.begin(), b.end())) == reference::jaccard(a, b));
}

// The bounds rule pairs out without looking at the sets, so they must never lose a pair.
RC_GTEST_PROP(Jaccard, BoundsAreExact, ()) {
  const auto left = *rc::gen::inRange<std::uint64_t>(1, 60);
  const auto right = *rc::gen::inRange<std::uint64_t>(1, 60);
  const auto den = *rc::gen::inRange<std::uint64_t>(1, 12);
  const Rational t{*rc::gen::inRange<std::uint64_t>(1, den + 1), den};
  const std::uint64_t most = std::min(left, right);
  for (std::uint64_t shared = 0; shared <= most; ++shared) {
    const Overlap overlap{static_cast<std::uint32_t>(shared),
                          static_cast<std::uint32_t>(left + right - shared)};
    const bool reaches = jaccard_reaches(overlap, t);
    const std::uint64_t difference = left + right - 2 * shared;
    RC_ASSERT(reaches == (difference <= jaccard_largest_difference(left, right, t)));
    if (reaches) RC_ASSERT(jaccard_sizes_can_reach(left, right, t));
    if (shared == most) RC_ASSERT(reaches == jaccard_sizes_can_reach(left, right, t));
  }
}

}  // namespace
}  // namespace sosie
