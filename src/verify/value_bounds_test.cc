// Tests that bounds of values never rule out a pair that agrees, but do rule out dissimilar ones.
#include "verify/value_bounds.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/mix64.h"
#include "verify/field_comparer.h"

namespace sosie {
namespace {

RecordColumn bounded_column(const std::vector<std::string>& texts) {
  RecordColumn column;
  for (const std::string& text : texts) {
    column.bytes += text;
    column.starts.push_back(column.bytes.size());
    column.counts.push_back(1);
  }
  return column;
}

// Strings over few letters, so that many pairs are close to the bounds. Some have multi-byte code
// points, some have invalid UTF-8, and a few are long.
std::vector<std::string> unlucky_strings(std::size_t count) {
  const std::vector<std::string> letters = {"a", "b", "c",        "1",    "\xC3\xA4",
                                            "z", " ", "\xE4\xB8", "\xFF", "\xF0\x9F\x98\x80"};
  std::vector<std::string> made;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = mix64(i + 1);
    const std::size_t kinds = 2 + random % (letters.size() - 1);
    const std::size_t length = i % 50 == 0 ? 60 + random / 16 % 20 : 1 + random / 16 % 9;
    std::string text;
    for (std::size_t j = 0; j < length; ++j) text += letters[mix64(random + j) % kinds];
    made.push_back(text);
  }
  return made;
}

std::size_t ruled_out(const FieldComparison& comparison, const std::vector<std::string>& texts) {
  const RecordColumn column = bounded_column(texts);
  const ValueBounds bounds(column, comparison);
  const ComparedValues none;
  const FieldComparer plain(column, comparison, none);
  std::size_t count = 0;
  for (std::uint32_t a = 1; a < column.distinct(); ++a) {
    for (std::uint32_t b = 1; b < column.distinct(); ++b) {
      if (texts[a - 1] == texts[b - 1] || bounds.may_agree(a, b)) continue;
      EXPECT_EQ(plain.level(a, b), 1U) << texts[a - 1] << " and " << texts[b - 1];
      ++count;
    }
  }
  return count;
}

TEST(ValueBounds, NeverRuleOutWhatAgrees) {
  const std::vector<std::string> texts = unlucky_strings(300);
  for (const FieldMeasure measure : {FieldMeasure::levenshtein, FieldMeasure::damerau}) {
    for (const double most : {0.5, 1.0, 2.0, 3.0, 8.0}) {
      EXPECT_GT(ruled_out({measure, {most}}, texts), most < 5 ? 30000U : 1000U);
    }
  }
  for (const double least : {0.0, 0.5, 0.7, 0.8, 0.92, 1.0}) {
    const std::size_t count = ruled_out({FieldMeasure::jaro_winkler, {least}}, texts);
    EXPECT_GE(count, least > 0.75 ? 20000U : 0U) << least;
  }
}

TEST(ValueBounds, OfEditSimilaritiesGrowWithTheLength) {
  const std::vector<std::string> texts = unlucky_strings(300);
  for (const double least : {0.6, 0.8, 0.9}) {
    EXPECT_GT(ruled_out({FieldMeasure::edit_similarity, {least}}, texts), 30000U) << least;
  }
}

TEST(ValueBounds, TellsNothingOfOtherMeasures) {
  const std::vector<std::string> texts = {"smith", "jones"};
  EXPECT_EQ(ruled_out({FieldMeasure::cosine, {0.9}}, texts), 0U);
  EXPECT_EQ(ruled_out({FieldMeasure::equal, {}}, texts), 0U);
  EXPECT_EQ(ValueBounds::bytes_for(bounded_column(texts), {FieldMeasure::number, {1}}), 0U);
  EXPECT_GT(ValueBounds::bytes_for(bounded_column(texts), {FieldMeasure::damerau, {1}}), 0U);
}

TEST(ValueBounds, SeesTransposedAndRepeatedLetters) {
  const RecordColumn column = bounded_column({"abcd", "badc", "aabb", "abbb"});
  const ValueBounds edits(column, {FieldMeasure::damerau, {1}});
  EXPECT_TRUE(edits.may_agree(1, 2));  // equal letters
  EXPECT_TRUE(edits.may_agree(3, 4));
  EXPECT_FALSE(edits.may_agree(1, 3));
}

}  // namespace
}  // namespace sosie
