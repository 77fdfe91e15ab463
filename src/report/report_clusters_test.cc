// Tests of the line that represents a text in a list.
#include "report/report_clusters.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(TellingLines, PassOverRulesAndBlanks) {
  const TellingLines none;
  EXPECT_EQ(none.of("---\n\n  Title \r\nbody"), "Title");
  EXPECT_EQ(none.of("\n\n---\n***"), "---");
  EXPECT_EQ(none.of(""), "");
  EXPECT_EQ(none.of("\u00E9t\u00E9"), "\u00E9t\u00E9");
}

TEST(TellingLines, PassOverWhatManyTextsBeginWith) {
  TellingLines lines;
  const std::string head = "<?xml version=\"1.0\"?>\nLicence: MIT\n";
  for (const char* const title : {"one", "two", "three", "four"}) lines.add(head + title);
  EXPECT_EQ(lines.of(head + "two\nmore"), "two");
  EXPECT_EQ(lines.of(head), "<?xml version=\"1.0\"?>");
  EXPECT_EQ(lines.of("---\n" + head), "<?xml version=\"1.0\"?>");
}

TEST(TellingLines, NeedSomeTextsToKnowWhatIsCommon) {
  TellingLines lines;
  lines.add("same\na");
  lines.add("same\nb");
  EXPECT_EQ(lines.of("same\nb"), "same");
}

TEST(TellingLines, AreCutWhereTheyAreLong) {
  EXPECT_EQ(TellingLines().of(std::string(5000, 'x')).size(), 2000);
}

}  // namespace
}  // namespace sosie
