#include "corpus/shown_text.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(ShownText, WritesOutWhatATerminalWouldObey) {
  EXPECT_EQ(shown_text("a\x1b[31mb\x7f", 80), "a\\x1b[31mb\\x7f");
  EXPECT_EQ(shown_text("\x9b\x31m", 80), "\\x9b1m");           // a lone C1 byte
  EXPECT_EQ(shown_text("\xC2\x9b\x31m", 80), "\\xc2\\x9b1m");  // encoded as UTF-8
  EXPECT_EQ(shown_text("a\u202eb", 80), "a\\u202eb");          // reverses the reading direction
}

TEST(ShownText, WritesOutWhatCannotBeSeen) {
  EXPECT_EQ(shown_text("a\u200bb", 80), "a\\u200bb");
  EXPECT_EQ(shown_text("a\u200d\u2060\ufeff\u00adb", 80), "a\\u200d\\u2060\\ufeff\\u00adb");
  EXPECT_EQ(shown_text("a\U000e0041b", 80), "a\\ue0041b");
}

TEST(ShownText, IsOneLine) { EXPECT_EQ(shown_text("one\ntwo\tthree", 80), "one two three"); }

TEST(ShownText, CountsCharactersAndSaysWhereItCuts) {
  EXPECT_EQ(shown_text("\u00e9\u00e9\u00e9", 3), "\u00e9\u00e9\u00e9");
  EXPECT_EQ(shown_text("\u00e9\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9...");
}

}  // namespace
}  // namespace sosie
