#include "read/row_feed.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/file.h"
#include "io/scratch.h"
#include "read/block_reader.h"

namespace sosie {
namespace {

using Row = std::pair<std::string, std::uint64_t>;  // its bytes, and its line

void append(std::span<const FedRow> from, std::vector<Row>& to) {
  for (const FedRow& row : from) to.emplace_back(row.bytes, row.line);
}

// The rows of a text that arrives in pieces of this size.
std::vector<Row> fed(std::string_view text, std::size_t piece, RowEnds row_ends) {
  RowFeed feed(row_ends, {','});
  std::vector<Row> rows;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    append(feed.add(text.substr(0, piece)), rows);
  }
  append(feed.finish(), rows);
  return rows;
}

// The rows of a file, as read by the file reader.
std::vector<Row> read(const std::string& text, RowEnds row_ends) {
  Scratch folder(std::filesystem::temp_directory_path());
  ScratchFile scratch(folder);
  scratch.append(text);
  const File file = scratch.section(0, "f");
  RowStream stream({&file, row_ends, {','}, 0});
  std::vector<Row> rows;
  for (RowView row; stream.next(row);) {
    const auto before = text.begin() + static_cast<std::ptrdiff_t>(row.offset);
    rows.emplace_back(row.bytes, 1 + std::count(text.begin(), before, '\n'));
  }
  return rows;
}

RC_GTEST_PROP(RowFeed, PiecesGiveTheRowsOfAFile, ()) {
  const auto letter = rc::gen::element<char>('a', '\n', '\r', '"', ',', '\xEF', '\xBB', '\xBF');
  auto text = *rc::gen::container<std::string>(letter) + "\n";
  if (*rc::gen::arbitrary<bool>()) text.insert(0, "\xEF\xBB\xBF");
  const auto piece = *rc::gen::inRange<std::size_t>(1, 9);
  for (const RowEnds row_ends : {RowEnds::line, RowEnds::quoted_line}) {
    RC_ASSERT(fed(text, piece, row_ends) == read(text, row_ends));
  }
}

TEST(RowFeed, WithoutALineFeedRowsEndAtCarriageReturns) {
  for (const RowEnds row_ends : {RowEnds::line, RowEnds::quoted_line}) {
    for (const std::size_t piece : {1U, 3U, 100U}) {
      EXPECT_EQ(fed("a\rb,c\r\rd", piece, row_ends), read("a\nb,c\n\nd", row_ends));
    }
  }
}

TEST(RowFeed, LinesAboveTheFirstRowAreNoRows) {
  RowFeed feed(RowEnds::quoted_line, {','}, 2);
  const auto rows = feed.add("\xEF\xBB\xBF\"title\nsep=,\na,b\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].bytes, "a,b");
  EXPECT_EQ(rows[0].line, 3U);
}

TEST(RowFeed, ARowIsThereWithItsLineEnd) {
  RowFeed feed(RowEnds::line, {});
  EXPECT_TRUE(feed.add("one").empty());
  EXPECT_EQ(feed.begun_bytes(), 3U);
  const auto rows = feed.add(" row\r\ntwo\nthr");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].bytes, "one row");
  EXPECT_EQ(rows[1].bytes, "two");
  EXPECT_EQ(rows[1].line, 2U);
  EXPECT_EQ(feed.begun_line(), 3U);
}

TEST(RowFeed, ARowOfQuotedLinesEndsOutsideQuotes) {
  RowFeed feed(RowEnds::quoted_line, {','});
  EXPECT_TRUE(feed.add("a,\"b\nc").empty());
  const auto rows = feed.add("\"\nd\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].bytes, "a,\"b\nc\"");
  EXPECT_EQ(rows[1].line, 3U);
}

}  // namespace
}  // namespace sosie
