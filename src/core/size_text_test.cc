// Sizes in messages are the ones that a user gave.
#include "core/size_text.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(SizeText, TakesTheLargestUnitThatLeavesNoRest) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(100), "100");
  EXPECT_EQ(size_text(4096), "4K");
  EXPECT_EQ(size_text(256 * kMebibyte), "256M");
  EXPECT_EQ(size_text(1024 * kMebibyte), "1G");
  EXPECT_EQ(size_text(1025 * kMebibyte), "1025M");
  EXPECT_EQ(size_text(kMebibyte + 1), "1048577");
}

}  // namespace
}  // namespace sosie
