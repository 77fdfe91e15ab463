// Tests recognising columns that number records, measuring how distinctive columns are, and
// recognising date formats.
#include "corpus/items/column_profile.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/mix64.h"
#include "data/columns_test.h"

namespace sosie {
namespace {

std::vector<std::string> texts_by(const std::function<std::string(std::uint64_t)>& text) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < 200; ++i) texts.push_back(text(i));
  return texts;
}

bool are_ids(const std::function<std::string(std::uint64_t)>& text) {
  return numbers_records(column_of(texts_by(text)));
}

TEST(ColumnProfile, NumbersThatRiseOrAreDenseNumberRecords) {
  EXPECT_TRUE(are_ids([](std::uint64_t i) { return std::to_string(i); }));
  EXPECT_TRUE(are_ids([](std::uint64_t i) { return "rec-" + std::to_string(1000 + 7 * i); }));
  EXPECT_TRUE(are_ids([](std::uint64_t i) { return std::to_string(77 * i % 211); })) << "any order";
  EXPECT_TRUE(are_ids([](std::uint64_t i) {
    return "f" + std::to_string(mix64(i + 1)) + "a" + std::to_string(i);
  })) << "hashes";
}

TEST(ColumnProfile, OtherColumnsOfDifferentValuesDoNotNumberRecords) {
  EXPECT_FALSE(are_ids([](std::uint64_t i) {  // telephone numbers
    return "0" + std::to_string(100000000 + mix64(i + 1) % 900000000);
  }));
  EXPECT_FALSE(are_ids([](std::uint64_t i) { return "43." + std::to_string(600000 + i); }));
  EXPECT_FALSE(are_ids([](std::uint64_t i) { return "anna" + std::to_string(i) + "@x.de"; }));
  EXPECT_FALSE(are_ids([](std::uint64_t i) { return "item " + std::to_string(i); }));
  EXPECT_FALSE(are_ids([](std::uint64_t i) { return i == 7 ? "" : std::to_string(i); }));
  EXPECT_FALSE(are_ids([](std::uint64_t i) { return std::to_string(i / 2); }));
}

TEST(ColumnProfile, ColumnsDifferByTheirFilledAndDifferentPairs) {
  const auto differing = [](const std::vector<std::string>& texts) {
    return differing_share(column_of(texts));
  };
  EXPECT_DOUBLE_EQ(differing({"a", "b", "a", "b"}), 0.5);
  EXPECT_DOUBLE_EQ(differing({"a", "b", "", "NA"}), 0.125);
  EXPECT_DOUBLE_EQ(differing({"a", "a"}), 0);
}

TEST(ColumnProfile, KnowsDecimalCommas) {
  EXPECT_EQ(decimal_of(column_of({"1,61", "76,21", "3"})), ',');
  EXPECT_EQ(decimal_of(column_of({"1,234", "12,5"})), ',');
  EXPECT_EQ(decimal_of(column_of({"1,234", "1,234.5"})), '.');
  EXPECT_EQ(decimal_of(column_of({"1,234", "7"})), '.') << "either may be meant";
  const RecordColumn commas = column_of({"1,61", "76,21"});
  const RecordColumn points = column_of({"1.61", "76.21", "5.5"});
  EXPECT_EQ(profile_of({&commas, &points}).amounts, 1);
}

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

TEST(DayFormats, MayLeaveOpenWhatIsDayAndMonth) {
  const auto other = [](const std::vector<std::string>& values) {
    return other_day_format(column_of(values), formats_of(values));
  };
  EXPECT_EQ(other({"01/02/03", "11/12/09", ""}), "%m %d %y");
  EXPECT_EQ(other({"03.04.1990"}), "%m %d %Y");
  EXPECT_EQ(other({"03/04/1990", "21/03/1990"}), "");
  EXPECT_EQ(other({"1990-03-04"}), "");
  EXPECT_EQ(other({"soon"}), "");
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
