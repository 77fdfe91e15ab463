#include "write/html_text.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(HtmlText, EscapesMarkup) {
  EXPECT_EQ(html_text("<script>alert(\"&'\")</script>"),
            "&lt;script&gt;alert(&quot;&amp;&#39;&quot;)&lt;/script&gt;");
}

TEST(HtmlText, ShowsWhatCannotBeSeen) {
  EXPECT_EQ(html_text("a\x1b[31m\x7f"), "a\u241b[31m\u2421");
  EXPECT_EQ(html_text(std::string_view("\0", 1)), "\u2400");
  EXPECT_EQ(html_text("\u202Etxt.exe\u2066"), "\\u{202E}txt.exe\\u{2066}");
  EXPECT_EQ(html_text("a\u200Bb\uFEFF\u0085"), "a\\u{200B}b\\u{FEFF}\\u{0085}");
  EXPECT_EQ(html_text("\u200Cz\u200D"), "\u200Cz\u200D") << "joiners shape letters";
}

TEST(HtmlText, ReplacesIllFormedBytes) {
  EXPECT_EQ(html_text("a\xff\xfe"), "a\uFFFD\uFFFD");
  EXPECT_EQ(html_text("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(html_text("\xe2\x82"), "\uFFFD");
  EXPECT_EQ(html_text("\uFFFE\uFDD0"), "\uFFFD\uFFFD") << "noncharacters";
}

TEST(HtmlText, CutsByCharacters) {
  EXPECT_EQ(html_text("<<<<", 2), "&lt;&lt;\u2026");
  EXPECT_EQ(html_text("\u00e9\u00e9", 2), "\u00e9\u00e9");
  EXPECT_EQ(html_text("", 0), "");
}

TEST(HtmlLine, MakesOneLine) {
  EXPECT_EQ(html_line("\n a \t\r\n b\u00a0c\u2028 "), "a b c");
  EXPECT_EQ(html_line("abc def", 3), "abc\u2026");
}

}  // namespace
}  // namespace sosie
