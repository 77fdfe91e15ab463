// Tests distinguishing members of a family from copies with errors.
#include "plan/match_families.h"

#include <gtest/gtest.h>

#include "core/mix64.h"

namespace sosie {
namespace {

constexpr std::uint8_t kDiffers = 1;
constexpr std::uint8_t kAgrees = 2;
using Row = std::vector<std::uint8_t>;
const LevelBits kBits(4, {0, -3, 8});

// Patterns of pairs, and the number of pairs with each.
struct Counted {
  explicit Counted(const std::vector<Row>& rows) {
    for (const Row& row : rows) patterns.add(row);
    for (std::uint32_t i = 0; i < patterns.size(); ++i) {
      counts.push_back(static_cast<double>(patterns.count(i)));
    }
  }

  LevelPatterns patterns{4};
  std::vector<double> counts;
};

std::optional<FieldPair> fields_among(const std::vector<Row>& rows) {
  const Counted made(rows);
  return fields_of_families(made.patterns, made.counts, kBits);
}

TEST(MatchFamilies, DifferInThreeFieldsTogether) {
  std::vector<Row> rows(60, Row(4, kAgrees));
  rows.insert(rows.end(), 40, Row{kAgrees, kDiffers, kDiffers, kDiffers});
  rows.insert(rows.end(), 3, Row{kAgrees, kDiffers, kAgrees, kAgrees});
  const auto found = fields_among(rows);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 1U);
  EXPECT_EQ(found->second, 2U);
}

TEST(MatchFamilies, AreNotMadeOfTwoFieldsAlone) {
  std::vector<Row> rows(60, Row(4, kAgrees));
  rows.insert(rows.end(), 40, Row{kAgrees, kDiffers, kAgrees, kDiffers});
  EXPECT_FALSE(fields_among(rows));
}

TEST(MatchFamilies, AreNotMadeOfMistakesThatComeAlone) {
  std::vector<Row> rows;
  for (std::uint64_t i = 0; i < 400; ++i) {
    Row& row = rows.emplace_back();
    for (std::uint64_t f = 0; f < 4; ++f)
      row.push_back(random64(i, f) % 3 == 0 ? kDiffers : kAgrees);
  }
  EXPECT_FALSE(fields_among(rows));
}

TEST(MatchFamilies, AreNotMadeOfFewPairs) {
  std::vector<Row> rows(400, Row(4, kAgrees));
  rows.insert(rows.end(), 9, Row{kAgrees, kDiffers, kAgrees, kDiffers});
  EXPECT_FALSE(fields_among(rows));
}

std::vector<DifferingFields> households_among(const std::vector<Row>& rows) {
  const Counted made(rows);
  return fields_of_households(made.patterns, made.counts, kBits);
}

TEST(MatchFamilies, OfAHouseholdDifferInTwoFieldsOrNearlyAlways) {
  for (const std::size_t copies : {60U, 0U}) {
    std::vector<Row> rows(copies, Row(4, kAgrees));
    rows.insert(rows.end(), 40, Row{kAgrees, kDiffers, kAgrees, kDiffers});
    const auto found = households_among(rows);
    ASSERT_EQ(found.size(), 1U) << copies;
    EXPECT_EQ(found[0].fields.first, 1U);
    EXPECT_EQ(found[0].fields.second, 3U);
    EXPECT_DOUBLE_EQ(found[0].part, 40.0 / static_cast<double>(rows.size()));
  }
}

TEST(MatchFamilies, OfAHouseholdAreNotMadeOfMistakesThatComeAlone) {
  std::vector<Row> rows(900, Row(4, kAgrees));
  rows.insert(rows.end(), 50, Row{kAgrees, kDiffers, kAgrees, kAgrees});
  rows.insert(rows.end(), 50, Row{kAgrees, kAgrees, kAgrees, kDiffers});
  rows.insert(rows.end(), 9, Row{kAgrees, kDiffers, kAgrees, kDiffers});
  EXPECT_TRUE(households_among(rows).empty());
}

TEST(MatchFamilies, DifferWhereOneFieldIsMissing) {
  const auto differ = [](std::uint8_t first, std::uint8_t second) {
    return differ_together(Row{kAgrees, first, second, kAgrees}, {1, 2}, kBits);
  };
  EXPECT_TRUE(differ(kDiffers, kDiffers));
  EXPECT_TRUE(differ(0, kDiffers));
  EXPECT_FALSE(differ(kAgrees, kDiffers));
  EXPECT_FALSE(differ(0, 0));
}

// Strangers: among 4,000 random pairs, some have equal values in one field and nothing else in
// common.
std::vector<bool> recurring_among(std::size_t equal_pairs, std::uint8_t field) {
  std::vector<Row> rows(4000 - equal_pairs, Row(4, kDiffers));
  Row equal(4, kDiffers);
  equal[field] = kAgrees;
  rows.insert(rows.end(), equal_pairs, equal);
  rows.insert(rows.end(), 50, Row{kAgrees, kAgrees, kAgrees, kDiffers});  // no strangers
  const Counted random(rows);
  return recurring_fields(random.patterns, random.counts, kBits);
}

std::optional<std::size_t> lone_field_among(const std::vector<Row>& rows,
                                            const std::vector<bool>& recurring) {
  const Counted made(rows);
  return field_that_differs_alone(parts_that_differ_alone(made.patterns, made.counts, kBits),
                                  recurring);
}

TEST(LoneField, RecursAmongStrangers) {
  EXPECT_EQ(recurring_among(4, 2), (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(recurring_among(1, 2), (std::vector<bool>(4, false)));
}

TEST(LoneField, DiffersInManyMatchesThatAgreeInAllElse) {
  const std::vector<bool> recurring{false, true, true, false};
  std::vector<Row> rows(80, Row(4, kAgrees));
  rows.insert(rows.end(), 20, Row{kAgrees, kDiffers, kAgrees, kAgrees});
  EXPECT_EQ(lone_field_among(rows, recurring), 1U);
  EXPECT_EQ(lone_field_among(rows, {true, false, true, true}), std::nullopt);
  rows.insert(rows.end(), 60, Row(4, kAgrees));  // now fewer than .15
  EXPECT_EQ(lone_field_among(rows, recurring), std::nullopt);
}

TEST(LoneField, DiffersAlone) {
  const std::vector<bool> recurring(4, true);
  std::vector<Row> rows(60, Row(4, kAgrees));
  rows.insert(rows.end(), 40, Row{kAgrees, kDiffers, kAgrees, kDiffers});
  EXPECT_EQ(lone_field_among(rows, recurring), std::nullopt);
  rows.insert(rows.end(), 40, Row{0, kDiffers, 0, kAgrees});  // one other field is too few
  EXPECT_EQ(lone_field_among(rows, recurring), std::nullopt);
}

}  // namespace
}  // namespace sosie
