// Tests which columns number records, and how much columns differ.
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

}  // namespace
}  // namespace sosie
