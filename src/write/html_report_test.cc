#include "write/html_report.h"

#include <gtest/gtest.h>

#include "write/html_text.h"

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

TEST(HtmlNumbers, AreReadable) {
  EXPECT_EQ(html_percent(1, 1'000'000), "0.1 %") << "something is not nothing";
  EXPECT_EQ(html_percent(999'999, 1'000'000), "99.9 %") << "nor is it all";
  EXPECT_EQ(html_percent(0, 0), "0 %");
}

TEST(HtmlReport, IsCompleteWithoutAnyRow) {
  ReportPage page;
  page.threshold = 0.8;
  page.flow.inputs.resize(1);
  page.flow.removed.resize(1);
  const std::string html = html_report(page);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_NE(html.find("no row was removed"), std::string::npos);
}

}  // namespace
}  // namespace sosie
