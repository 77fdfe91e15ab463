// Dates, times and timestamps as texts, in every unit.
#include "read/written_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace sosie {
namespace {

std::string text(std::string_view format, std::int64_t stored) {
  std::string out;
  WrittenTime::of(format)->append(stored, out);
  return out;
}

TEST(WrittenTime, WritesDatesOfTheGregorianCalendar) {
  EXPECT_EQ(text("tdD", 0), "1970-01-01");
  EXPECT_EQ(text("tdD", -1), "1969-12-31");
  EXPECT_EQ(text("tdD", 19782), "2024-02-29");
  EXPECT_EQ(text("tdD", 19783), "2024-03-01");
  EXPECT_EQ(text("tdD", 11016), "2000-02-29");
  EXPECT_EQ(text("tdD", -25508), "1900-03-01");
  EXPECT_EQ(text("tdD", -719528), "0000-01-01");
  EXPECT_EQ(text("tdD", -719529), "-0001-12-31");
  EXPECT_EQ(text("tdD", 2932896), "9999-12-31");
  EXPECT_EQ(text("tdD", 2932897), "+10000-01-01");
  EXPECT_EQ(text("tdD", std::numeric_limits<std::int32_t>::max()), "+5881580-07-11");
}

TEST(WrittenTime, FollowsDaysOneByOne) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int64_t number = -719528;
  for (int year = 0; year < 2500; ++year) {
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (int month = 1; month <= 12; ++month) {
      const int days = kDays[static_cast<std::size_t>(month - 1)] + (is_leap && month == 2 ? 1 : 0);
      for (int day = 1; day <= days; ++day, ++number) {
        ASSERT_EQ(text("tdD", number), fmt::format("{:04}-{:02}-{:02}", year, month, day));
      }
    }
  }
}

TEST(WrittenTime, IsTheSameInEveryUnit) {
  EXPECT_EQ(text("tdm", 19782LL * 86'400'000), "2024-02-29");
  EXPECT_EQ(text("tdm", 19782LL * 86'400'000 + 1), "2024-02-29 00:00:00.001");
  EXPECT_EQ(text("tts", 34200), "09:30:00");
  EXPECT_EQ(text("ttn", 34'200'000'000'000), "09:30:00");
  EXPECT_EQ(text("ttu", 34'200'250'000), "09:30:00.25");
  for (const char* format : {"tss:", "tsm:", "tsu:", "tsn:"}) {
    std::int64_t second = 1'700'000'000;
    for (char unit = format[2]; unit != 's'; unit = unit == 'n' ? 'u' : unit == 'u' ? 'm' : 's') {
      second *= 1000;
    }
    EXPECT_EQ(text(format, second), "2023-11-14 22:13:20") << format;
    EXPECT_EQ(text(std::string(format) + "Europe/Paris", second), "2023-11-14 22:13:20+00:00");
  }
  EXPECT_EQ(text("tsn:", -1), "1969-12-31 23:59:59.999999999");
  EXPECT_EQ(text("tsn:", std::numeric_limits<std::int64_t>::min()),
            "1677-09-21 00:12:43.145224192");
}

TEST(WrittenTime, SortsAsTheValuesDo) {
  const std::array<std::int64_t, 7> values = {-2'000'001, -1'000'000, 0,        1,
                                              100'000,    1'000'000,  1'000'001};
  for (const char* format : {"tsu:", "tsu:UTC"}) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      EXPECT_LT(text(format, values[i - 1]), text(format, values[i]));
    }
  }
}

TEST(WrittenTime, LeavesDurationsAndNumbersToOthers) {
  for (const char* format : {"tDs", "tDn", "l", "u", "d:10,2", "tiM"}) {
    EXPECT_FALSE(WrittenTime::of(format)) << format;
  }
}

}  // namespace
}  // namespace sosie
