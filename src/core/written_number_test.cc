// Tests comparing numbers by their written digits.
#include "core/written_number.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace sosie {
namespace {

TEST(WrittenNumber, IsWhatTheWholeTextSays) {
  EXPECT_EQ(written_number("-12"), -12);
  EXPECT_EQ(written_number("9.50"), 9.5L);
  EXPECT_EQ(written_number("1e-3"), 1e-3L);
  EXPECT_TRUE(std::isinf(written_number("-Infinity").value()));
  for (const char* text : {"", "-", "nan", "12-03", "1.2.3", "1x", "0x10", "1e99999"}) {
    EXPECT_FALSE(written_number(text)) << text;
  }
}

TEST(WrittenNumber, OrdersByAllDigits) {
  // In ascending order; each number is written in one of several possible ways.
  constexpr std::array<std::string_view, 16> kNumbers = {
      "-1e400",
      "-123456789012345678901235",
      "-123456789012345678901234.5",
      "-123456789012345678901234",
      "-0.1",
      "-1e-400",
      "0",
      "1e-400",
      "0.1",
      "0.1000000000000000000000000000000000001",
      "12.5",
      "123456789012345678901234",
      "123456789012345678901234.000000000000000001",
      "123456789012345678901235",
      "1e30",
      "1e99999999999999999999"};
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    for (std::size_t j = 0; j < kNumbers.size(); ++j) {
      const int order = compare_written(kNumbers[i], kNumbers[j]);
      EXPECT_EQ(order < 0, i < j) << kNumbers[i] << ' ' << kNumbers[j];
      EXPECT_EQ(order > 0, i > j) << kNumbers[i] << ' ' << kNumbers[j];
    }
  }
}

TEST(WrittenNumber, IsEqualHoweverItIsWritten) {
  for (const char* text : {"1250", "1250.00", "1.25e3", "125E+1", "0.125e4", "01250"}) {
    EXPECT_EQ(compare_written("1250", text), 0) << text;
  }
  for (const char* text : {"0", "-0", "0.000", "0e9", "-0e-9"}) {
    EXPECT_EQ(compare_written("0", text), 0) << text;
  }
}

TEST(WrittenNumber, IsWrittenAgainWhereItHasFewDigits) {
  for (const char* text : {"0.1", "-12345.678", "123456789012345", "1e300", "5e-300"}) {
    EXPECT_TRUE(has_few_digits(text)) << text;
    EXPECT_EQ(compare_written(text, written(written_number(text).value())), 0) << text;
  }
  EXPECT_TRUE(has_few_digits("1000000000000000000000000000000"));
  EXPECT_FALSE(has_few_digits("1000000000000000000000000000001"));
}

}  // namespace
}  // namespace sosie
