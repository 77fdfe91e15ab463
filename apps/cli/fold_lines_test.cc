// Tests where long lines are folded.
#include "fold_lines.h"

#include <gtest/gtest.h>

namespace sosie::cli {
namespace {

TEST(FoldLines, GoOnUnderTheTextBehindALabel) {
  EXPECT_EQ(
      fold_lines("groups      88; the largest has four rows: bdflush\nrows        1 read\n", 40),
      "groups      88; the largest has four\n"
      "            rows: bdflush\n"
      "rows        1 read\n");
  EXPECT_EQ(fold_lines("note: one replaced word already takes it below the threshold", 40),
            "note: one replaced word already takes it\n"
            "      below the threshold");
  EXPECT_EQ(fold_lines("sosie: people.csv:17: expected 4 fields, found 3\n  try the option that "
                       "helps in such a case\n",
                       40),
            "sosie: people.csv:17: expected 4 fields,\n"
            "  found 3\n"
            "  try the option that helps in such a\n"
            "  case\n");
  EXPECT_EQ(fold_lines("  given    equal +4.5, jaro-winkler 0.92 +4.5, different -3.6\n", 40),
            "  given    equal +4.5, jaro-winkler 0.92\n"
            "           +4.5, different -3.6\n");
}

TEST(FoldLines, ColoursTakeNoColumns) {
  const std::string bold = "\x1b[1mNear-duplicates: similarity 0.9\x1b[0m, left";
  EXPECT_EQ(fold_lines(bold, 40), bold);
  EXPECT_EQ(fold_lines(bold + " is kept, right goes", 40), bold + "\n  is kept, right goes");
  EXPECT_EQ(fold_lines("\x1b[1", 40), "\x1b[1");
}

TEST(FoldLines, LeaveTablesAndWhatFits) {
  const std::string table = "                  items      disk  build CPU    memory\n";
  EXPECT_EQ(fold_lines(table, 40), table);
  const std::string fits(40, 'x');
  EXPECT_EQ(fold_lines(fits, 40), fits);
  const std::string word(20, 'x');
  EXPECT_EQ(fold_lines(word + " " + word, 41), word + " " + word);
  EXPECT_EQ(fold_lines(word + " " + word, 40), word + "\n  " + word);
  EXPECT_EQ(fold_lines("label  " + fits + fits, 40), "label  " + fits + fits);
  EXPECT_EQ(fold_lines("rows  one two three four five six seven eight nine ten", 0),
            "rows  one two three four five six seven eight nine ten");
}

TEST(FoldLines, CutSentencesBehindTheCellsOfATable) {
  EXPECT_EQ(
      fold_lines("  equal zip     1,234   12 found by no other rule, 3 of them links, 0.1 s", 40),
      "  equal zip     1,234   12 found by no\n"
      "    other rule, 3 of them links, 0.1 s");
  EXPECT_EQ(fold_lines("  zip  7   12 found by no other rule, 3 of them links, 0.1 s", 40),
            "  zip  7   12 found by no other rule, 3\n"
            "           of them links, 0.1 s");
  const std::string cells = "  equal zip           1,234             17       0.1 s       20.0 s";
  EXPECT_EQ(fold_lines(cells, 40), cells);
}

TEST(FoldLines, CutWideNamesAndPutTheirCellsBelow) {
  EXPECT_EQ(
      fold_lines("  near given&surname&street&number&city&zip   1,234   1,234 found by no other "
                 "rule, 7 of them links",
                 40),
      "  near\n"
      "  given&surname&street&number&city&zip\n"
      "    1,234   1,234 found by no other\n"
      "            rule, 7 of them links");
  EXPECT_EQ(
      fold_lines("  near given&surname&street&number&city&zip&date&phone     1,234     1,234", 40),
      "  near\n"
      "  given&surname&street&number&city&zip&\n"
      "  date&phone\n"
      "    1,234     1,234");
}

TEST(FoldLines, CountWhatATerminalShows) {
  EXPECT_EQ(fold_lines("rows  \u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4 "
                       "\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6 "
                       "\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC x",
                       40),
            "rows  \u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4\u00E4 "
            "\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6\u00F6 "
            "\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC\u00FC x");
  EXPECT_EQ(fold_lines("rows  \u65E5\u672C\u8A9E\u65E5\u672C\u8A9E\u65E5\u672C\u8A9E "
                       "\u65E5\u672C\u8A9E\u65E5\u672C\u8A9E\u65E5\u672C\u8A9E",
                       40),
            "rows  \u65E5\u672C\u8A9E\u65E5\u672C\u8A9E\u65E5\u672C\u8A9E\n"
            "      \u65E5\u672C\u8A9E\u65E5\u672C\u8A9E\u65E5\u672C\u8A9E");
}

}  // namespace
}  // namespace sosie::cli
