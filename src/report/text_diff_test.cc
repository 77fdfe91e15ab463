#include "report/text_diff.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

// "same [changed] (3)": the parts of a side as text.
std::string shown(const ReportSide& side) {
  std::string out;
  for (const DiffPart& part : side.parts) {
    switch (part.kind) {
      case DiffPart::Kind::same:
        out += part.text;
        break;
      case DiffPart::Kind::changed:
        out += "[" + part.text + "]";
        break;
      case DiffPart::Kind::left_out:
        out += "(" + std::to_string(part.words) + ")";
        break;
    }
  }
  return out;
}

std::pair<std::string, std::string> compare(std::string_view left, std::string_view right) {
  TextDiff diff(TokenMode::unicode);
  ReportSide left_side;
  ReportSide right_side;
  diff.compare(left, right, left_side, right_side);
  return {shown(left_side), shown(right_side)};
}

TEST(TextDiff, MarksWhatOnlyOneTextHas) {
  EXPECT_EQ(compare("a b c d", "a x c").first, "a [b ]c [d]");
  EXPECT_EQ(compare("a b c d", "a x c").second, "a [x ]c");
}

TEST(TextDiff, ComparesWhatShinglesSee) {
  EXPECT_EQ(compare("Caf\u00e9, bar", "cafe\u0301 - BAR!").first, "Caf\u00e9, bar");
  EXPECT_EQ(compare("-- a", "a").first, "-- a") << "punctuation at the start belongs to a word";
}

TEST(TextDiff, CutsScriptsWithoutBlanksByCharacter) {
  EXPECT_EQ(compare("東京都", "東西都").first, "東[京]都");
}

TEST(TextDiff, LeavesOutTheMiddleOfLongRuns) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "w" + std::to_string(i) + " ";
  const auto [left, right] = compare(text + "x", text + "y");
  EXPECT_NE(left.find("w11 (76)w88"), std::string::npos) << left;
  EXPECT_TRUE(left.ends_with("[x]"));
}

TEST(TextDiff, CountsWhatItDoesNotShow) {
  std::string left;
  std::string right;
  for (int i = 0; i < 50'000; ++i) {
    left += "l" + std::to_string(i) + " ";
    right += "r" + std::to_string(i) + " ";
  }
  TextDiff diff(TokenMode::unicode);
  ReportSide side;
  ReportSide other;
  diff.compare(left, right, side, other);
  std::uint64_t words = 0;
  std::size_t bytes = 0;
  for (const DiffPart& part : side.parts) {
    words += part.words;
    bytes += part.text.size();
  }
  EXPECT_EQ(side.words, 50'000U);
  EXPECT_NEAR(static_cast<double>(words), 50'000, 1) << "the cut may fall into a word";
  EXPECT_LE(bytes, 3000U);
}

TEST(TextDiff, EmptyTextsHaveNoParts) {
  EXPECT_EQ(compare("", "").first, "");
  EXPECT_EQ(compare("...", "a").second, "[a]");
}

}  // namespace
}  // namespace sosie
