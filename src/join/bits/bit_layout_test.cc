// Tests that strings in a layout are found by the bits in which they differ.
#include "join/bits/bit_layout.h"

#include <gtest/gtest.h>

#include "join/bits/bits_test.h"

namespace sosie {
namespace {

TEST(BitLayout, FindsNearStringsWhereverTheyStand) {
  for (const std::size_t bits : {7U, 64U, 130U}) {
    const BitColumn column = random_bits(bits, 100, bits);
    for (const bool by_ones : {false, true}) {
      const BitLayout layout(column, {3, 90}, by_ones);
      ASSERT_EQ(layout.size(), 87U);
      std::vector<std::uint8_t> near;
      for (const BitPositions some : {BitPositions{0, 87}, {5, 6}, {8, 16}, {13, 41}}) {
        for (std::size_t row = 0; row < column.rows; row += 9) {
          const std::uint64_t ones = counts_of(column, row, row).shared;
          std::vector<std::size_t> expected;
          std::uint64_t least = bits;
          for (std::size_t at = some.begin; at < some.end; ++at) {
            const std::uint64_t different = counts_of(column, row, layout.row(at)).different();
            least = std::min(least, different);
            if (different < 4) expected.push_back(at);
            EXPECT_GE(layout.most_ones(ones, some), (by_ones ? ones : 0) + layout.ones(at));
          }
          std::vector<std::size_t> found;
          layout.each_near(column.row(row), some, 4, near,
                           [&](std::size_t at) { found.push_back(at); });
          EXPECT_EQ(found, expected);
          EXPECT_LE(layout.least_difference(ones, some), least);
        }
      }
    }
  }
}

TEST(BitLayout, IsInOrderOfOnesThenOfRows) {
  const BitColumn column = random_bits(1, 200, 9);
  const BitLayout layout(column, {0, 200}, true);
  for (std::size_t at = 1; at < layout.size(); ++at) {
    EXPECT_LT(std::pair(layout.ones(at - 1), layout.row(at - 1)),
              std::pair(layout.ones(at), layout.row(at)));
    EXPECT_EQ(layout.ones(at), counts_of(column, layout.row(at), layout.row(at)).shared);
  }
}

}  // namespace
}  // namespace sosie
