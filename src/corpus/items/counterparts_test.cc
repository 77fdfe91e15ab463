// Tests pairing columns of two collections by their values, their words and their records.
#include "corpus/items/counterparts.h"

#include <gtest/gtest.h>

#include "data/columns_test.h"

namespace sosie {
namespace {

RecordRows rows_of(std::vector<RecordColumn> columns) {
  RecordRows rows;
  rows.rows = static_cast<std::uint32_t>(columns.front().values.size());
  rows.columns = std::move(columns);
  return rows;
}

TEST(ColumnDomains, OverlapIsTheSumOfTheLesserShares) {
  const RecordColumn given = column_of({"Anna", "bert", "anna", "-"});
  const RecordColumn surname = column_of({"smith", "anna", "jones", "bert"});
  const ValueShares left = value_shares({&given});
  const ValueShares right = value_shares({&surname});
  EXPECT_NEAR(overlap_of(left, right), 0.25 + 0.25, 1e-12);
  EXPECT_NEAR(overlap_of(left, left), 1, 1e-12);
  EXPECT_NEAR(entropy_of(right), 2, 1e-12);
  EXPECT_EQ(entropy_of({}), 0);
}

TEST(ColumnDomains, CounterpartsHaveTheirWordsInCommon) {
  const RecordRows left =
      rows_of({column_of({"red chair", "blue table"}, "title"), column_of({"x", "y"}, "First Name"),
               column_of({"12", "13"}, "price")});
  const RecordRows right =
      rows_of({column_of({"z", "w"}, "first_name"), column_of({"chair of oak", "a table"}, "item"),
               column_of({"99", "98"}, "cost")});
  const std::vector<Counterpart> found = counterparts(left, right);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].left, "title");
  EXPECT_EQ(found[0].right, "item");
  EXPECT_EQ(found[1].right, "first_name");
}

TEST(ColumnDomains, NoColumnIsTheCounterpartOfTwo) {
  const std::vector<std::string> chairs = {"red chair", "blue table"};
  const RecordRows left =
      rows_of({column_of({"red bench", "a table"}, "summary"), column_of(chairs, "title"),
               column_of({"x", "y"}, "First Name")});
  const RecordRows right =
      rows_of({column_of(chairs, "item"), column_of({"z", "w"}, "first_name")});
  const std::vector<Counterpart> found = counterparts(left, right);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].left, "title");
  EXPECT_EQ(found[0].right, "item");
  EXPECT_EQ(found[1].left, "First Name");
}

TEST(ColumnDomains, EqualNumbersOfOtherRecordsAreNumberedApart) {
  std::vector<std::string> names;
  std::vector<std::string> keys;
  std::vector<std::string> shifted;
  std::vector<std::string> others;
  for (int i = 0; i < 60; ++i) {
    names.push_back("name" + std::to_string(i % 20) + " town" + std::to_string(i % 7));
    keys.push_back("K" + std::to_string(i));
    shifted.push_back("k-" + std::to_string((i + 9) % 60));
    others.push_back("x" + std::to_string(500 + i));
  }
  const RecordRows left = rows_of({column_of(names, "name"), column_of(keys, "key")});
  const auto apart = [&](const std::vector<std::string>& of_right) {
    const RecordRows right = rows_of({column_of(names, "name"), column_of(of_right, "key")});
    return are_numbered_apart(left, right, left.columns[1], right.columns[1]);
  };
  EXPECT_FALSE(apart(keys));
  EXPECT_TRUE(apart(shifted));
  EXPECT_TRUE(apart(others));
}

}  // namespace
}  // namespace sosie
