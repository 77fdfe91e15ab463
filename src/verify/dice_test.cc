#include "verify/dice.h"

#include <gtest/gtest.h>

#include "verify/jaccard.h"

namespace sosie {
namespace {

TEST(Dice, T1_3_OfTheTextbookSets) {
  const std::vector<std::uint64_t> left = {1, 2, 3, 4};
  const std::vector<std::uint64_t> right = {2, 4, 6};
  const Overlap overlap = set_overlap(left, right);
  EXPECT_DOUBLE_EQ(dice(overlap), 4.0 / 7);
  EXPECT_TRUE(dice_reaches(overlap, {4, 7}));
  EXPECT_FALSE(dice_reaches(overlap, {572, 1000}));
  EXPECT_EQ(dice({0, 0}), 1.0);
}

TEST(Dice, ReachesExactlyWhatTheFractionReaches) {
  for (std::uint32_t left = 1; left < 12; ++left) {
    for (std::uint32_t right = 1; right < 12; ++right) {
      for (std::uint32_t shared = 0; shared <= std::min(left, right); ++shared) {
        for (std::uint64_t num = 1; num <= 10; ++num) {
          const Rational t{num, 10};
          const bool reaches = std::uint64_t{2 * shared} * t.den >= (left + right) * t.num;
          const Overlap overlap{shared, left + right - shared};
          EXPECT_EQ(dice_reaches(overlap, t), reaches);
          EXPECT_EQ(shared >= dice_least_overlap(left, right, t), reaches);
          const std::uint64_t different = left + right - 2 * shared;
          if (dice_sizes_can_reach(left, right, t)) {
            EXPECT_EQ(different <= dice_largest_difference(left, right, t), reaches);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace sosie
