// Tests of columns that add nothing to others, and of columns that follow from another one.
#include "corpus/items/repeated_columns.h"

#include <gtest/gtest.h>

#include "data/columns_test.h"

namespace sosie {
namespace {

using Places = std::vector<std::vector<std::uint32_t>>;

struct People {
  std::vector<std::string> first;
  std::vector<std::string> last;
  std::vector<std::string> full;
  std::vector<std::string> city;
};

People people() {
  People made;
  for (int i = 0; i < 200; ++i) {
    made.first.push_back("first" + std::to_string(i % 40));
    made.last.push_back("last" + std::to_string(i % 37));
    made.full.push_back(made.first.back() + " " + made.last.back());
    made.city.push_back("city" + std::to_string(i % 11));
  }
  return made;
}

Places repeated(const std::vector<RecordColumn>& columns) {
  std::vector<const RecordColumn*> left;
  for (const RecordColumn& column : columns) left.push_back(&column);
  return repeated_columns(left, {});
}

TEST(RepeatedColumns, AFullNameRepeatsItsParts) {
  const People p = people();
  const Places found =
      repeated({column_of(p.full), column_of(p.city), column_of(p.first), column_of(p.last)});
  EXPECT_EQ(found, (Places{{2, 3}, {}, {}, {}}));
}

TEST(RepeatedColumns, TheLaterOfEqualColumnsRepeatsTheEarlier) {
  const People p = people();
  EXPECT_EQ(repeated({column_of(p.city), column_of(p.first), column_of(p.city)}),
            (Places{{}, {}, {0}}));
}

TEST(RepeatedColumns, AFewExceptionsMakeNoDifferenceAndManyDo) {
  People p = people();
  for (std::size_t i = 0; i < 4; ++i) p.full[50 * i] = "somebody else";
  EXPECT_EQ(repeated({column_of(p.full), column_of(p.first), column_of(p.last)})[0].size(), 2U);
  for (std::size_t i = 0; i < 100; ++i) p.full[2 * i] = "somebody else" + std::to_string(i);
  EXPECT_EQ(repeated({column_of(p.full), column_of(p.first), column_of(p.last)}),
            (Places{{}, {}, {}}));
}

// A description may contain the name, but the name does not count as repeated for that reason.
TEST(RepeatedColumns, AColumnDoesNotRepeatALongerOne) {
  const People p = people();
  std::vector<std::string> description;
  for (std::size_t i = 0; i < p.full.size(); ++i) {
    description.push_back(p.full[i] + " of " + p.city[i] + " number " + std::to_string(i));
  }
  EXPECT_EQ(repeated({column_of(p.full), column_of(description)}), (Places{{}, {}}));
}

TEST(RepeatedColumns, BothCollectionsMustAgree) {
  const People p = people();
  const RecordColumn full = column_of(p.full);
  const RecordColumn first = column_of(p.first);
  const RecordColumn last = column_of(p.last);
  const RecordColumn city = column_of(p.city);
  const std::vector<const RecordColumn*> left = {&full, &first, &last};
  const std::vector<const RecordColumn*> same = {&full, &first, &last};
  const std::vector<const RecordColumn*> other = {&city, &first, &last};
  EXPECT_EQ(repeated_columns(left, same)[0].size(), 2U);
  EXPECT_EQ(repeated_columns(left, other), (Places{{}, {}, {}}));
}

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
