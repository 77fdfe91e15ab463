// Tests of scores of pairs, compared with scores computed by hand.
#include "verify/pair_score.h"

#include <gtest/gtest.h>

#include <string>

namespace sosie {
namespace {

RecordColumn column_of(const std::vector<std::string>& texts) {
  RecordColumn column;
  for (const std::string& text : texts) {
    if (text.empty()) {
      column.values.push_back(RecordColumn::kMissing);
      continue;
    }
    column.values.push_back(column.distinct());
    column.counts.push_back(1);
    column.bytes += text;
    column.starts.push_back(column.bytes.size());
  }
  return column;
}

// MMDS 3.8.1: Bill and William are 5 edits apart (insertions and deletions), or one edit with a
// nickname table.
TEST(BookScore, IsThatOfTheBookOnThreeFields) {
  EXPECT_EQ(book_points(0), 100);
  EXPECT_EQ(book_points(1), 98);
  EXPECT_EQ(book_points(5), 50);
  EXPECT_EQ(book_points(8), 0);
  const RecordColumn name = column_of({"bill", "william", "bill"});
  const RecordColumn address = column_of({"12 main st", "12 main st", "9 oak lane"});
  const RecordColumn phone = column_of({"555-1234", "555-1235", ""});
  const BookScore score({&name, &address, &phone});
  EXPECT_EQ(score.greatest(), 300);
  EXPECT_EQ(score.score(0, 1), 50 + 100 + 92);  // a digit replaced: 2 edits
  EXPECT_EQ(score.score(0, 0), 300);
  EXPECT_EQ(score.score(0, 2), 150);  // the phone is missing: the mean of 100 and 0 for it
}

TEST(BookScore, CountsANicknameAsOneEdit) {
  RecordColumn name;
  for (const std::string text : {"bill smith", "william smith", "william smyth"}) {
    name.values.push_back(name.distinct());
    name.counts.push_back(1);
    name.bytes += text;
    name.starts.push_back(name.bytes.size());
  }
  name.nickname_starts = {0, 0, 1, 2, 3};
  name.nicknames = {{0, 0}, {0, 0}, {0, 0}};  // the first words are in the same row
  const BookScore score({&name});
  EXPECT_EQ(score.score(0, 1), book_points(1));
  EXPECT_EQ(score.score(0, 2), book_points(3)) << "a letter replaced is 2 edits more";
  EXPECT_EQ(score.score(1, 2), book_points(2));
}

TEST(BookScore, IsNothingWithoutFieldsInCommon) {
  const RecordColumn name = column_of({"bill", ""});
  EXPECT_EQ(BookScore({&name}).score(0, 1), 0);
}

TEST(TfidfScore, CountsRareCharactersMore) {
  const TfidfScore score(
      column_of({"acme tools", "acme tools ltd", "zenith tools", "acme bolts", "other tools", ""}));
  EXPECT_EQ(score.score(0, 0), 1);
  EXPECT_GT(score.score(0, 1), score.score(0, 2));
  EXPECT_GT(score.score(0, 3), 0);
  EXPECT_EQ(score.score(0, 5), 0);
  EXPECT_LE(score.score(0, 1), 1);
}

}  // namespace
}  // namespace sosie
