// Tests of levels, measures and patterns of record fields.
#include "verify/field_comparer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/columns_test.h"

namespace sosie {
namespace {

// A column with these values, numbered from 1, one per record.
RecordColumn record_column(const std::vector<std::string>& texts) {
  RecordColumn column;
  for (const std::string& text : texts) {
    column.bytes += text;
    column.starts.push_back(column.bytes.size());
    column.counts.push_back(1);
    column.values.push_back(column.distinct() - 1);
  }
  return column;
}

std::uint32_t level_between(const std::string& left, const std::string& right,
                            const FieldComparison& comparison) {
  const RecordColumn column = record_column({left, right});
  const ComparedValues sets = compared_values(column, comparison.measure, 0);
  return FieldComparer(column, comparison, sets).level(1, 2);
}

TEST(RecordScore, LevelsRiseFromMissingToEqual) {
  const RecordColumn column = record_column({"smith", "smyth", "jones"});
  const FieldComparison edits{FieldMeasure::levenshtein, {1, 3}};
  const ComparedValues none;
  const FieldComparer comparer(column, edits, none);
  EXPECT_EQ(comparer.level(0, 1), 0U);
  EXPECT_EQ(comparer.level(1, 0), 0U);
  EXPECT_EQ(comparer.level(1, 3), 1U);
  EXPECT_EQ(comparer.level(1, 2), 3U);
  EXPECT_EQ(comparer.level(1, 1), edits.highest());
  EXPECT_EQ(edits.levels(), 5U);
}

TEST(RecordScore, BoundsAreInclusive) {
  EXPECT_EQ(level_between("abcd", "abxy", {FieldMeasure::levenshtein, {1, 2}}), 2U);
  EXPECT_EQ(level_between("10", "12.5", {FieldMeasure::number, {1, 2.5}}), 2U);
  EXPECT_EQ(level_between("75", "100", {FieldMeasure::ratio, {0.1, 0.25}}), 2U);
  EXPECT_EQ(level_between("ab", "ba", {FieldMeasure::damerau, {1}}), 2U);
  EXPECT_EQ(level_between("ab", "ba", {FieldMeasure::levenshtein, {1}}), 1U);
}

TEST(RecordScore, EqualNumbersAreEqualHoweverTheyAreWritten) {
  for (const FieldMeasure measure : {FieldMeasure::number, FieldMeasure::ratio}) {
    EXPECT_EQ(level_between("1.5", "1.50", {measure, {0.1}}), 3U);
    EXPECT_EQ(level_between("-0", "0", {measure, {}}), 2U);
    EXPECT_EQ(level_between("1.5", "1.51", {measure, {}}), 1U);
  }
}

TEST(RecordScore, JaroWinklerFindsItsLevels) {
  const FieldComparison names{FieldMeasure::jaro_winkler, {0.92, 0.82}};
  EXPECT_EQ(level_between("martha", "marhta", names), 3U);   // .961, Winkler 1990
  EXPECT_EQ(level_between("dixon", "dicksonx", names), 1U);  // .813
  EXPECT_EQ(level_between("dwayne", "duane", names), 2U);    // .84
}

TEST(RecordScore, EditSimilaritiesAreSharesOfTheLongerLength) {
  const FieldComparison codes{FieldMeasure::edit_similarity, {0.8, 0.6}};
  EXPECT_EQ(level_between("12345", "12354", codes), 3U);
  EXPECT_EQ(level_between("12345", "123", codes), 2U);
  EXPECT_EQ(level_between("12345", "98765", codes), 1U);
  EXPECT_EQ(level_between("0123456789", "0123456798", codes), 3U);
}

// Coordinates in one city, spread evenly over a tenth of a degree.
TEST(RecordScore, NearnessIsRareAmongRandomPairs) {
  std::vector<std::string> texts;
  for (int i = 0; i < 2000; ++i) texts.push_back("43." + std::to_string(60000 + 5 * i));
  const RecordColumn column = record_column(texts);
  const ComparedValues values = compared_values(column, FieldMeasure::nearness, 0);
  const FieldComparison nearness{FieldMeasure::nearness, {0.998, 0.99, 0.95, 0.8, 0.5}};
  const FieldComparer comparer(column, nearness, values);
  EXPECT_EQ(comparer.level(1, 2000), 1U);  // a tenth of a degree
  EXPECT_EQ(comparer.level(1, 500), 2U);   // a quarter of it
  EXPECT_EQ(comparer.level(1, 2), 6U);     // five metres
  EXPECT_EQ(comparer.level(7, 7), 7U);
  // By ratio, all of them are equal to within .2 %.
  const FieldComparison ratio{FieldMeasure::ratio, {0.02, 0.1, 0.3}};
  EXPECT_EQ(FieldComparer(column, ratio, values).level(1, 2000), 4U);
}

TEST(RecordScore, DistancesOfAmountsAreRatios) {
  std::vector<std::string> prices;
  std::vector<std::string> heights;
  for (int i = 1; i <= 200; ++i) {
    prices.push_back(std::to_string(i * i) + ".5");
    heights.push_back("1" + std::to_string(50 + i % 50));
  }
  EXPECT_TRUE(compared_values(record_column(prices), FieldMeasure::nearness, 0).spread.by_ratio);
  EXPECT_FALSE(compared_values(record_column(heights), FieldMeasure::nearness, 0).spread.by_ratio);
}

TEST(RecordScore, BriefColumnsCountHalf) {
  RecordColumn column = record_column({"sony tv black", "sony tv silver", "lg tv black"});
  column.brief_bytes = {0, 7, 7, 5};
  const FieldComparison tfidf{FieldMeasure::tfidf, {0.5}};
  const ComparedValues both = compared_values(column, FieldMeasure::tfidf, 0);
  const FieldComparer comparer(column, tfidf, both);
  RecordColumn whole = column;
  whole.brief_bytes.clear();
  const ComparedValues alone = compared_values(whole, FieldMeasure::tfidf, 0);
  const FieldComparer plain(whole, tfidf, alone);
  EXPECT_NEAR(comparer.value(1, 2), (1 + plain.value(1, 2)) / 2, 1e-6);
  EXPECT_LT(comparer.value(1, 3), comparer.value(1, 2));
}

TEST(RecordScore, DaysAreCountedOverTheCalendar) {
  EXPECT_EQ(day_number("20000301") - day_number("20000228"), 2);
  EXPECT_EQ(day_number("19000301") - day_number("19000228"), 1);
  EXPECT_EQ(day_number("20010101") - day_number("20000101"), 366);
  EXPECT_EQ(level_between("19991231", "20000101", {FieldMeasure::days, {1, 31}}), 3U);
}

TEST(RecordScore, CosineCountsSharedCharacterSets) {
  // " ab", "abc", "bc " and " ab", "abd", "bd ".
  const RecordColumn column = record_column({"abc", "abd", "x"});
  const FieldComparison cosine{FieldMeasure::cosine, {0.3}};
  const ComparedValues sets = compared_values(column, FieldMeasure::cosine, 0);
  const FieldComparer comparer(column, cosine, sets);
  EXPECT_DOUBLE_EQ(comparer.value(1, 2), 1.0 / 3);
  EXPECT_EQ(comparer.value(1, 3), 0);
}

TEST(RecordScore, RareCharactersCountMoreByTfidf) {
  const RecordColumn column = record_column({"aaaa zq", "aaaa bc", "aaaa zq9", "aaaa", "aaaa x"});
  const ComparedValues weighted = compared_values(column, FieldMeasure::tfidf, 0);
  const FieldComparison tfidf{FieldMeasure::tfidf, {0.5}};
  const FieldComparer comparer(column, tfidf, weighted);
  const ComparedValues plain = compared_values(column, FieldMeasure::cosine, 0);
  const FieldComparison cosine{FieldMeasure::cosine, {0.5}};
  const FieldComparer unweighted(column, cosine, plain);
  EXPECT_LT(comparer.value(1, 2), unweighted.value(1, 2));
  EXPECT_GT(comparer.value(1, 3), comparer.value(1, 2));
  EXPECT_NEAR(comparer.value(1, 1), 1, 1e-6);
}

TEST(RecordScore, ClosenessIsWithinZeroAndOne) {
  const RecordColumn column = record_column({"abc", "abd"});
  const FieldComparison edits{FieldMeasure::levenshtein, {1}};
  const ComparedValues none;
  const FieldComparer comparer(column, edits, none);
  EXPECT_EQ(comparer.closeness(1, 1), 1);
  EXPECT_EQ(comparer.closeness(0, 1), 0);
  EXPECT_EQ(comparer.closeness(1, 2), 0.5);
}

std::uint32_t level(const RecordColumn& column, const FieldComparison& comparison,
                    std::uint32_t left, std::uint32_t right) {
  const ComparedValues sets = compared_values(column, comparison.measure, 0);
  return level_of_variants(column, comparison, FieldComparer(column, comparison, sets), left,
                           right);
}

TEST(ValueVariants, SwappedColumnsAreEqual) {
  RecordColumn column = column_of({"anna mai", "mai anna", "bo lund"});
  column.swapped = {2, 1, 9};
  column.starts.resize(11, column.bytes.size());  // "lund bo" is not needed
  const FieldComparison comparison{FieldMeasure::levenshtein, {1}};
  EXPECT_EQ(level(column, comparison, 0, 1), comparison.highest());
  EXPECT_EQ(level(column, comparison, 0, 2), 1U);
  EXPECT_EQ(edits_of_variants(column, 0, 1, 8), 0U);
}

TEST(ValueVariants, ListsAgreeByTheirBestMembers) {
  RecordColumn column = column_of({"rome;oslo", "osla;bern", "rome", "oslo", "osla", "bern"});
  column.member_starts = {0, 0, 2, 4, 4, 4, 4, 4};
  column.members = {3, 4, 5, 6};
  const FieldComparison comparison{FieldMeasure::levenshtein, {1}};
  EXPECT_EQ(level(column, comparison, 0, 1), comparison.highest() - 1) << "oslo and osla";
  EXPECT_EQ(level(column, comparison, 0, 2), comparison.highest()) << "rome is among them";
  EXPECT_EQ(edits_of_variants(column, 0, 1, 8), 2U) << "a letter replaced";
  EXPECT_EQ(edits_of_variants(column, 0, 2, 8), 0U);
}

TEST(ValueVariants, ANicknameIsOneEdit) {
  RecordColumn column =
      column_of({"bill smith", "william smith", "william smyth", "bill smith jr"});
  column.nickname_starts = {0, 0, 1, 2, 3, 4};
  column.nicknames = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
  const FieldComparison comparison{FieldMeasure::levenshtein, {1, 2}};
  EXPECT_EQ(level(column, comparison, 0, 1), comparison.highest() - 1);
  EXPECT_EQ(level(column, comparison, 0, 2), comparison.highest() - 2) << "and a letter";
  EXPECT_EQ(level(column, comparison, 1, 3), 1U) << "another number of words";
  EXPECT_EQ(edits_of_variants(column, 0, 1, 8), 1U);
  EXPECT_EQ(edits_of_variants(column, 1, 0, 8), 1U);
  EXPECT_EQ(edits_of_variants(column, 0, 2, 8), 3U);
}

TEST(ValueVariants, MissingValuesSayNothing) {
  RecordColumn column = column_of({"anna mai", ""});
  column.swapped = {1, 0};
  const FieldComparison comparison{FieldMeasure::levenshtein, {1}};
  EXPECT_EQ(level(column, comparison, 0, 1), 0U);
}

}  // namespace
}  // namespace sosie
