// Tests levels and edits of fields whose values agree in more than one way.
#include "verify/level_of_variants.h"

#include <gtest/gtest.h>

#include "data/columns_test.h"

namespace sosie {
namespace {

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
