// Tests which formats of days a column is taken to have.
#include "corpus/items/day_formats.h"

#include <gtest/gtest.h>

#include "data/columns_test.h"

namespace sosie {
namespace {

std::string formats_of(const std::vector<std::string>& values) {
  return day_formats_of(column_of(values));
}

TEST(DayFormats, AreThoseOfTheValues) {
  EXPECT_EQ(formats_of({"1990-03-21", "2001-12-01", ""}), "%Y %m %d");
  EXPECT_EQ(formats_of({"19900321", "20011201"}), "%Y%m%d");
  EXPECT_EQ(formats_of({"28-Mar-11", "1-Dec-99"}), "%d %b %y");
  EXPECT_EQ(formats_of({"March 28 , 2011", "Dec 1, 1999"}), "%b %d %Y");
  EXPECT_EQ(formats_of({"1990-03-21 00:00:00", "2001-12-01 00:00:00"}), "%Y %m %d");
}

TEST(DayFormats, TellDayAndMonthByValuesAboveTwelve) {
  EXPECT_EQ(formats_of({"03/04/1990", "11/12/1991", "21/03/1990"}), "%d %m %Y");
  EXPECT_EQ(formats_of({"03/04/1990", "11/12/1991", "03/21/1990"}), "%m %d %Y");
  EXPECT_EQ(formats_of({"03/04/1990"}), "%d %m %Y") << "either may be meant";
}

TEST(DayFormats, OfAColumnMayBeSeveral) {
  EXPECT_EQ(formats_of({"21.03.1990", "22.03.1990", "1990-03-23"}), "%d %m %Y|%Y %m %d");
}

TEST(DayFormats, AreNoneWhereValuesAreNoDays) {
  const std::vector<std::vector<std::string>> columns = {
      {}, {"1990-03-21", "soon"}, {"030-123456", "040-998877"}, {"12.5", "13.75"}, {"1990-02-31"}};
  for (const auto& column : columns) EXPECT_EQ(formats_of(column), "");
}

TEST(DayFormats, AllowAFewSlips) {
  std::vector<std::string> values;
  for (int day = 101; day <= 128; ++day) values.push_back("19900" + std::to_string(day));
  values.emplace_back("a slip");
  EXPECT_EQ(formats_of(values), "%Y%m%d");
}

TEST(DayFormats, AreWrittenAlikeInOneFormatOfDigits) {
  EXPECT_TRUE(are_written_alike("%d %m %Y", "%d %m %Y"));
  EXPECT_FALSE(are_written_alike("%d %m %Y", "%Y %m %d"));
  EXPECT_FALSE(are_written_alike("%d %b %Y", "%d %b %Y"));
  EXPECT_FALSE(are_written_alike("%d %m %Y|%Y %m %d", "%d %m %Y|%Y %m %d"));
}

}  // namespace
}  // namespace sosie
