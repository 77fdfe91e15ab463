// Tests that messages show sizes as the user gave them, and that counts are read in each of their
// forms.
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

TEST(SizeText, RoundsWhatIsEnoughUp) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  EXPECT_EQ(round_size_text(0), "1M");
  EXPECT_EQ(round_size_text(6 * kMebibyte - 1), "6M");
  EXPECT_EQ(round_size_text(6 * kMebibyte), "7M");
  EXPECT_EQ(round_size_text(732 * kMebibyte), "740M");
  EXPECT_EQ(round_size_text(995 * kMebibyte), "1000M");
  EXPECT_EQ(round_size_text(1023 * kMebibyte), "1G");
  EXPECT_EQ(round_size_text(1024 * kMebibyte), "1100M");
  EXPECT_EQ(round_size_text(4577 * kMebibyte), "5G");
  EXPECT_EQ(round_size_text(79'000 * kMebibyte), "78G");
  for (std::uint64_t bytes = 1; bytes < std::uint64_t{1} << 50; bytes += bytes / 7 + 1) {
    const std::string text = round_size_text(bytes);
    const int shift = text.back() == 'M' ? 20 : 30;
    const std::uint64_t enough = std::stoull(text) << shift;
    EXPECT_GT(enough, bytes) << text;
    EXPECT_LE(enough, bytes + bytes / 8 + kMebibyte) << text;
  }
}

TEST(LimitText, IsWhatAUserTypedOrRounded) {
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
  EXPECT_EQ(limit_text(10), "10");
  EXPECT_EQ(limit_text(kGibibyte), "1G");
  EXPECT_EQ(limit_text(kGibibyte + kGibibyte / 1024), "1025M");
  EXPECT_EQ(limit_text(12 * kGibibyte + 4096), "12.9 GB");
}

TEST(Count, IsAWholeNumberHoweverItIsWritten) {
  EXPECT_EQ(parse_count("250000"), 250'000U);
  EXPECT_EQ(parse_count("2.5e9"), 2'500'000'000U);
  EXPECT_EQ(parse_count("1e12"), 1'000'000'000'000U);
  for (const char* other : {"", "0", "-1", "1.5", "1e13", "nan", "inf", "1x", " 1", "1e-1"}) {
    EXPECT_EQ(parse_count(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace sosie
