// Tests cleaning the values of record fields, and recognising missing ones.
#include "represent/fields.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

std::string cleaned(FieldForm form, std::string_view text) {
  return FieldCleaner(form).clean(text);
}

TEST(Fields, MissingValuesAreKnownInAnyCase) {
  for (const char* text : {"", "  ", "NA", "n/a", "NULL", "None", "unknown", "-", " - "}) {
    EXPECT_TRUE(is_missing_value(text)) << text;
  }
  for (const char* text : {"Nan", "0", "--", "nonesuch"}) {
    EXPECT_FALSE(is_missing_value(text)) << text;
  }
  EXPECT_EQ(cleaned({}, "N/A"), "");
}

TEST(Fields, EachCleaningKeepsItsPart) {
  EXPECT_EQ(cleaned({FieldClean::none}, "  O'Neil  Smith "), "O'Neil  Smith");
  EXPECT_EQ(cleaned({FieldClean::fold}, "  O'Neil  SMITH "), "o'neil smith");
  EXPECT_EQ(cleaned({FieldClean::alnum}, "O'Neil SMITH-2"), "oneilsmith2");
  EXPECT_EQ(cleaned({FieldClean::words}, " (O'Neil) SMITH -- 2."), "o neil smith 2");
  EXPECT_EQ(cleaned({FieldClean::words}, "--"), "");
  EXPECT_EQ(cleaned({FieldClean::digits}, "(02) 9555-1234"), "0295551234");
}

TEST(Fields, NumbersAreDecimalOnly) {
  EXPECT_EQ(number_of(" 12.50 "), 12.5);
  EXPECT_EQ(number_of("+3"), 3);
  EXPECT_EQ(number_of("-1e3"), -1000);
  for (const char* text : {"", "nan", "inf", "12a", "1e999", "0x10", "1 2"}) {
    EXPECT_FALSE(number_of(text)) << text;
  }
  const FieldForm number{FieldClean::fold, FieldType::number, {}};
  EXPECT_EQ(cleaned(number, " 7 "), "7");
  EXPECT_EQ(cleaned(number, "seven"), "");
}

TEST(Fields, NumbersMayHaveThousandsAndACurrency) {
  EXPECT_EQ(number_of("1,234,567.5"), 1234567.5);
  EXPECT_EQ(number_of("-12,000"), -12000);
  EXPECT_EQ(number_of("$1,299.00"), 1299);
  EXPECT_EQ(number_of("\u20AC 15"), 15);
  for (const char* text : {"1,23", "1,2345", ",123", "1234,567", "1,234,5", "1,,234", "$", "$$1"}) {
    EXPECT_FALSE(number_of(text)) << text;
  }
}

TEST(Fields, NumbersWithADecimalCommaAreRead) {
  EXPECT_EQ(number_of("1,61", ','), 1.61);
  EXPECT_EQ(number_of("1.234.567,5", ','), 1234567.5);
  EXPECT_EQ(number_of("1 234,5", ','), 1234.5);
  EXPECT_EQ(number_of("-12,50 \u20AC", ','), -12.5);
  EXPECT_EQ(number_of("12.50 \u20AC"), 12.5);
  for (const char* text : {"1,2,3", "1.23,5", "12.5", ","}) {
    EXPECT_FALSE(number_of(text, ',')) << text;
  }
  FieldForm number{FieldClean::fold, FieldType::number, {}};
  number.decimal = ',';
  EXPECT_EQ(cleaned(number, "0,50"), "0.5");
}

TEST(Fields, DayFormatsHoldAYearAndNoUnknownUnit) {
  for (const char* format :
       {"%Y", "%Y%m%d", "%d.%m.%Y", "%Y week %d", "%d.%m.%y", "%b %d %Y|%Y-%m-%d"}) {
    EXPECT_TRUE(is_day_format(format)) << format;
  }
  for (const char* format : {"", "%d.%m", "%Y %H", "%Y%", "%Y%%", "%Y %Y", "%Y %y", "%m %b %Y",
                             "%Y%d%d", "%Y|", "|%Y"}) {
    EXPECT_FALSE(is_day_format(format)) << format;
  }
}

TEST(Fields, DaysFollowTheFormatAndTheCalendar) {
  EXPECT_EQ(day_of("1.2.1999", "%d.%m.%Y"), "19990201");
  EXPECT_EQ(day_of("2000-02-29", "%Y-%m-%d"), "20000229");
  EXPECT_FALSE(day_of("1900-02-29", "%Y-%m-%d"));
  EXPECT_FALSE(day_of("19991301", "%Y%m%d"));
  EXPECT_FALSE(day_of("1999-1", "%Y-%m-%d"));
  EXPECT_FALSE(day_of("1999-01-01x", "%Y-%m-%d"));
  EXPECT_FALSE(day_of("1.2.99", "%d.%m.%Y"));
  EXPECT_EQ(day_of("1.2.31", "%d.%m.%y"), "19310201");
  EXPECT_EQ(day_of("1.2.30", "%d.%m.%y"), "20300201");
  for (const char* text : {"28-Mar-11", "28 march 11", "28. MAR 11"}) {
    EXPECT_EQ(day_of(text, "%d %b %y"), "20110328") << text;
  }
  EXPECT_EQ(day_of("March 28 , 2011", "%b %d %Y"), "20110328");
  EXPECT_FALSE(day_of("Marc 28, 2011", "%b %d %Y"));
  EXPECT_FALSE(day_of("28Mar11", "%d %b %y"));
  EXPECT_EQ(day_of("2011-03-28", "%d.%m.%Y|%Y-%m-%d"), "20110328");
  EXPECT_EQ(day_of("28.03.2011", "%d.%m.%Y|%Y-%m-%d"), "20110328");
  for (const char* time : {" 00:00:00", "T12:30:00.000Z", " 1:05 PM", "T00:00+01:00"}) {
    EXPECT_EQ(day_of(std::string("2011-03-28") + time, "%Y-%m-%d"), "20110328") << time;
  }
  EXPECT_FALSE(day_of("2011-03-28 12", "%Y-%m-%d"));
  const FieldForm date{FieldClean::fold, FieldType::date, {}};
  EXPECT_EQ(cleaned(date, "19561224"), "19561224");
  EXPECT_EQ(cleaned(date, "1956-12-24"), "19561224");
  EXPECT_EQ(cleaned(date, "24 December"), "");
}

}  // namespace
}  // namespace sosie
