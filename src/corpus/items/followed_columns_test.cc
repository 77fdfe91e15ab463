// Tests which columns follow from another one.
#include "corpus/items/followed_columns.h"

#include <gtest/gtest.h>

#include "data/columns_test.h"

namespace sosie {
namespace {

using Followed = std::vector<std::optional<std::uint32_t>>;

constexpr int kPeople = 2000;

template <typename Text>
RecordColumn column_by(const Text& text) {
  std::vector<std::string> texts;
  for (int i = 0; i < kPeople; ++i) texts.push_back(std::to_string(text(i)));
  return column_of(texts);
}

Followed followed(const std::vector<RecordColumn>& columns) {
  std::vector<const RecordColumn*> left;
  for (const RecordColumn& column : columns) left.push_back(&column);
  return followed_columns(left, {});
}

int district(int i) { return i * 7 % 20; }

TEST(FollowedColumns, ACountyFollowsFromItsDistrict) {
  const RecordColumn county = column_by([](int i) { return district(i) / 5; });
  EXPECT_EQ(followed({county, column_by(district), column_by([](int i) { return i % 3; })}),
            (Followed{1, std::nullopt, std::nullopt}));
}

TEST(FollowedColumns, OfACodeAndItsNameTheLaterOneFollows) {
  EXPECT_EQ(followed({column_by(district), column_by([](int i) { return 100 + district(i); })}),
            (Followed{std::nullopt, 0}));
}

TEST(FollowedColumns, MistakesOfSomeRecordsSayThatAColumnSpeaksForItself) {
  const RecordColumn county = column_by([](int i) { return i % 9 == 0 ? i % 4 : district(i) / 5; });
  EXPECT_EQ(followed({county, column_by(district)}), (Followed{std::nullopt, std::nullopt}));
}

TEST(FollowedColumns, CopiesOfOneRecordAreNoSign) {
  const RecordColumn key = column_by([](int i) { return i / 10; });
  const RecordColumn name = column_by([](int i) { return i / 10 % 40; });
  EXPECT_EQ(followed({key, name}), (Followed{std::nullopt, std::nullopt}));
}

TEST(FollowedColumns, ManyCopiesOfOneRecordAreNoSign) {
  const auto key = [](int i) { return i < 1000 ? 0 : i; };
  EXPECT_EQ(followed({column_by(key), column_by([&](int i) { return key(i) % 900; })}),
            (Followed{std::nullopt, std::nullopt}));
}

TEST(FollowedColumns, BothCollectionsMustAgree) {
  const RecordColumn fine = column_by(district);
  const RecordColumn coarse = column_by([](int i) { return district(i) / 5; });
  const RecordColumn other = column_by([](int i) { return i % 3; });
  const std::vector<const RecordColumn*> left = {&fine, &coarse};
  EXPECT_EQ(followed_columns(left, left), (Followed{std::nullopt, 0}));
  const std::vector<const RecordColumn*> right = {&fine, &other};
  EXPECT_EQ(followed_columns(left, right), (Followed{std::nullopt, std::nullopt}));
}

}  // namespace
}  // namespace sosie
