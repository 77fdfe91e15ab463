// Tests that piece sizes can be reduced for tests.
#include "core/piece_sizes.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(PieceSizes, AreDividedByAPowerOfTwo) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
  EXPECT_EQ(piece_size(kBytes), kBytes);
  for (const unsigned long divisor : {0UL, 1UL, 2UL, 5UL, 127UL, 128UL, 1000UL}) {
    divide_piece_sizes(divisor);
    EXPECT_EQ(kBytes % piece_size(kBytes), 0U) << divisor;
    EXPECT_GE(piece_size(kBytes), kBytes / 128) << divisor;
  }
  EXPECT_EQ(piece_size(kBytes), kBytes / 128);
  divide_piece_sizes(1);
  EXPECT_EQ(piece_size(kBytes), kBytes);
}

}  // namespace
}  // namespace sosie
