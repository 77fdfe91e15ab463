#include "represent/folded_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/on_every_target_test.h"
#include "reference/normalize.h"
#include "represent/tricky_text_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

struct WordsCase {
  std::string_view text;
  Words expected;
};

const WordsCase kUnicodeWords[] = {
    {"", {}},
    {" \t.,;\n", {}},
    {"a", {"a"}},
    {"The quick-brown FOX_7 jumps!", {"the", "quick", "brown", "fox_7", "jumps"}},
    {"Straße STRASSE", {"strasse", "strasse"}},
    {"ΣΊΣΥΦΟΣ σίσυφος", {"σίσυφοσ", "σίσυφοσ"}},
    {"İI\u0131i", {"i\u0307i\u0131i"}},
    {"\uFB01ne su\uFB03x", {"fine", "suffix"}},
    {"\u1112\u1161\u11AB\u1100\u1173\u11AF", {"한글"}},
    {"Tie\u0302\u0301ng Vi\u0065\u0323\u0302t \u1EC6e\u0302\u0323",
     {"tiếng", "việt", "\u1EC7\u1EC7"}},
    {"กินข้าว", {"ก", "ิ", "น", "ข", "้", "า", "ว"}},
    {"東京タワーへgo2寺", {"東", "京", "タ", "ワ", "ー", "へ", "go2", "寺"}},
    {"か\u3099", {"が"}},
    {"a\u200Db", {"a", "b"}},
    {"\U0001F469\u200D\U0001F4BB", {}},
    {"a\uFFFD"
     "b",
     {"a", "b"}},
    {"a\xED\xA0\x80"
     "b",
     {"a\xED\xB3\xAD\xED\xB2\xA0\xED\xB2\x80"
      "b"}},
    {"A\xFF"
     "B \xC3",
     {"a\xED\xB3\xBF"
      "b",
      "\xED\xB3\x83"}},
    {"\xC3\u00C9", {"\xED\xB3\x83é"}},
    {"\xF0\x9F\x98京", {"\xED\xB3\xB0\xED\xB2\x9F\xED\xB2\x98", "京"}},
    {"a\u203F"
     "b x\u00B2 \u00BD",
     {"a\u203F"
      "b",
      "x\u00B2", "\u00BD"}},
    {"\u212B\u212A", {"åk"}},
    {"a =\u0338 b", {"a", "b"}},
    {"\u2ADC", {"\u0338"}},
    {"\u00A4\u0338x", {"\u0338x"}},
    {"\U0001D15E", {"\U0001D165"}},
    {"α\u0345 ᾳ ΑΙ", {"αι", "αι", "αι"}},
    {"\u0301a", {"\u0301a"}},
    {"\u0344", {"\u0308\u0301"}},
    {"\u0345", {"ι"}},
    {"A\u030A", {"å"}},
    {"Q\u0307\u0323", {"q\u0323\u0307"}},
    {"\u0149 \u01F0 J\u030C", {"\u02BCn", "\u01F0", "\u01F0"}},
    {"\u0390 \u1FD3 Ϊ\u0301", {"\u0390", "\u0390", "\u0390"}},
    {"\uF900\U0002F800", {"\u8C48", "\u4E3D"}},
    {"\uFB2C", {"\u05E9\u05BC\u05C1"}},
    {"क्षि\u0958", {"क्षि\u0915\u093C"}},
    {"\u0BC6\u0BBE", {"\u0BCA"}},
    {"\uAB70", {"\u13A0"}},
    {"\U0001D400\uFF21", {"\U0001D400\uFF41"}},
    {std::string_view("a\0b", 3), {"a", "b"}},
};

TEST(FoldWords, GivesTheWordsOfTheExamples) {
  for (const WordsCase& each : kUnicodeWords) {
    EXPECT_EQ(words(each.text), each.expected) << each.text;
  }
}

// docs/decisions/0020
TEST(FoldWords, InvisibleCharactersPartWordsAndFullWidthFormsStay) {
  for (const char* invisible : {"\u00AD", "\u200B", "\u200C", "\u200D", "\u2060", "\uFEFF"}) {
    EXPECT_EQ(words(std::string("so") + invisible + "ft"), (Words{"so", "ft"}));
    EXPECT_EQ(chars(std::string("so") + invisible + "ft"), std::string("so") + invisible + "ft");
  }
  EXPECT_EQ(words("\uFF21\uFF42 \uFF11\uFF12 ab 12"),
            (Words{"\uFF41\uFF42", "\uFF11\uFF12", "ab", "12"}));
}

TEST(FoldWords, AsciiModeKeepsAllBytesFrom0x80On) {
  const auto ascii = TokenMode::ascii;
  EXPECT_EQ(words("The Caf\u00C9's x_1", ascii), (Words{"the", "caf\u00C9", "s", "x_1"}));
  EXPECT_EQ(words("A\xFF\xC3 \x80", ascii), (Words{"a\xFF\xC3", "\x80"}));
  EXPECT_EQ(words("a\u3000b", ascii), (Words{"a\u3000b"}));
  EXPECT_EQ(words("@[`{/:^", ascii), Words{});
}

struct CharsCase {
  std::string_view text;
  std::string_view expected;
};

constexpr CharsCase kUnicodeChars[] = {
    {"", ""},
    {" \t\n\v\f\r", ""},
    {"  A \t\n B\u3000\u00A0 C\u0085\u2029", "a b c"},
    {std::string_view("\0a\0\0b\0", 6), "a b"},
    {"a \x01\x1C\x1F\x7F b", "a \x01\x1C\x1F\x7F b"},
    {"Straße\u2003\u2000ﬀ", "strasse ff"},
    {"A\u030A!", "å!"},
    {" \u0301", "\u0301"},
    {"a \u0301", "a \u0301"},
    {"\u2000\u0301x", "\u0301x"},
    {"\u200B", "\u200B"},
    {"a\xED\xA0\x80"
     "B",
     "a\xED\xB3\xAD\xED\xB2\xA0\xED\xB2\x80"
     "b"},
    {"\xE2\x82", "\xED\xB3\xA2\xED\xB2\x82"},
    {"\xFF\u0301", "\xED\xB3\xBF\u0301"},
    {"東京 タワー", "東京 タワー"},
};

TEST(FoldChars, GivesTheTextOfTheExamples) {
  for (const CharsCase& each : kUnicodeChars) {
    EXPECT_EQ(chars(each.text), each.expected) << each.text;
  }
}

TEST(FoldChars, AsciiModeKeepsAllThatIsNotAscii) {
  EXPECT_EQ(chars(" \u00A0\u00C9 \xFF\xE2\x82 Z ", TokenMode::ascii),
            "\u00A0\u00C9 \xED\xB3\xBF\xED\xB3\xA2\xED\xB2\x82 z");
}

TEST(FoldWords, AsciiModeAgreesWithAPlainLoopOverBytes) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    RC_ASSERT(words(text, TokenMode::ascii) == reference::ascii_words(text));
  }));
}

TEST(FoldChars, AsciiModeAgreesWithAPlainLoopOverBytes) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    RC_ASSERT(chars(text, TokenMode::ascii) == reference::ascii_chars(text));
  }));
  EXPECT_TRUE(rc::check([] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("aZ  \t\n\x01")));
    RC_ASSERT(chars(text, TokenMode::ascii) == reference::ascii_chars(text));
    RC_ASSERT(chars(text) == reference::ascii_chars(text));
  }));
}

TEST(Fold, AsciiTextIsTheSameInBothModes) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
    RC_ASSERT(words(text) == words(text, TokenMode::ascii));
    RC_ASSERT(chars(text) == chars(text, TokenMode::ascii));
  }));
}

TEST(Fold, AsciiTextIsTheSameBesideOtherText) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(33, 127));
    const Words alone = words(text);
    Words before = words("é " + text);
    RC_ASSERT(before.at(0) == "é");
    before.erase(before.begin());
    RC_ASSERT(before == alone);
    Words after = words(text + " 京");
    RC_ASSERT(after.back() == "京");
    after.pop_back();
    RC_ASSERT(after == alone);
    RC_ASSERT(chars("é" + text + "É") == "é" + chars(text) + "é");
  }));
}

using reference::kCuneiform;

TEST(Fold, IllFormedBytesAreLettersOfTheirOwn) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const std::string letters = reference::escape_ill_formed(text, kCuneiform);
    RC_ASSERT(words(text) == with_byte_escapes(words(letters)));
    RC_ASSERT(chars(text) == reference::with_byte_escapes(chars(letters)));
  }));
}

// Latin-1 letters are lead bytes in UTF-8, some of characters that are words of their own.
TEST(Fold, IllFormedBytesAmongLettersAreLettersOfTheirOwnOnEveryTarget) {
  const std::string some("aB _.\xE4\xFC\xE9\xF0\xC3\xA9\xE5\xB0\x8F\xCC\x81", 16);
  kernels::on_every_target([&](std::string_view target) {
    for (unsigned seed = 0; seed < 3'000 && !testing::Test::HasFailure(); ++seed) {
      std::mt19937 random(seed);
      std::string text;
      for (std::size_t left = random() % 200; left > 0; --left)
        text += some[random() % some.size()];
      const std::string letters = reference::escape_ill_formed(text, kCuneiform);
      ASSERT_EQ(words(text), with_byte_escapes(words(letters))) << target << ' ' << seed;
      ASSERT_EQ(chars(text), reference::with_byte_escapes(chars(letters))) << target << ' ' << seed;
    }
  });
}

TEST(Fold, IllFormedBytesAmongMarksAreLettersOfTheirOwn) {
  EXPECT_TRUE(rc::check([](unsigned seed, std::size_t cut) {
    std::string text = tricky_text(seed);
    if (!text.empty()) text.erase(cut % text.size(), 1);
    const std::string letters = reference::escape_ill_formed(text, kCuneiform);
    RC_ASSERT(words(text) == with_byte_escapes(words(letters)));
    RC_ASSERT(chars(text) == reference::with_byte_escapes(chars(letters)));
  }));
}

// Latin-1 letters: no two of these texts may be read in the same way.
TEST(Fold, TextsOfOtherIllFormedBytesStayDifferentOnEveryTarget) {
  kernels::on_every_target([](std::string_view target) {
    for (const TokenMode mode : {TokenMode::unicode, TokenMode::ascii}) {
      std::set<Words> all_words;
      std::set<std::string> all_chars;
      const std::string before(61, 'x');  // the byte straddles the end of a block
      for (int byte = 0x80; byte < 0x100; ++byte) {
        for (const std::string_view behind : {"", "ller", " \x80", "\u00E9"}) {
          const std::string text = before + "M" + static_cast<char>(byte) + std::string(behind);
          all_words.insert(words(text, mode));
          all_chars.insert(chars(text, mode));
        }
      }
      EXPECT_EQ(all_words.size(), 4 * 0x80U) << target;
      EXPECT_EQ(all_chars.size(), 4 * 0x80U) << target;
    }
  });
}

TEST(Fold, SaysWhetherTextIsWellFormed) {
  EXPECT_TRUE(rc::check([](const std::string& text, bool repair) {
    const std::string shown = repair ? reference::replace_ill_formed(text) : text;
    const bool expected = reference::replace_ill_formed(shown) == shown;
    const std::string buffer = padded(shown);
    const std::string_view view = std::string_view(buffer).substr(0, shown.size());
    for (const TokenMode mode : {TokenMode::unicode, TokenMode::ascii}) {
      FoldedText folded;
      fold_words(view, mode, folded);
      RC_ASSERT(folded.is_well_formed == expected);
      fold_chars(view, mode, folded);
      RC_ASSERT(folded.is_well_formed == expected);
    }
  }));
}

TEST(Fold, FoldingTwiceIsFoldingOnce) {
  EXPECT_TRUE(rc::check([](unsigned seed) {
    const std::string once = chars(tricky_text(seed));
    RC_ASSERT(chars(once) == once);
  }));
}

TEST(Fold, TextsAroundALineBreakDoNotInfluenceEachOther) {
  EXPECT_TRUE(rc::check([](unsigned seed_a, unsigned seed_b) {
    const std::string a = tricky_text(seed_a);
    const std::string b = tricky_text(seed_b);
    Words both = words(a);
    for (const std::string& word : words(b)) both.push_back(word);
    RC_ASSERT(words(a + "\n" + b) == both);
  }));
}

TEST(Fold, MarksReachTheLetterBeforeThemAtEveryPlace) {
  const auto check_after = [](std::size_t count) {
    const std::string letters(count, 'A');
    const std::string expected = std::string(count, 'a') + "å" + "b";
    ASSERT_EQ(words(letters + "A\u030A" + "B"), Words{expected}) << count;
    ASSERT_EQ(chars(letters + "A\u030A" + "B"), expected) << count;
  };
  for (std::size_t count = 0; count < 140; ++count) check_after(count);
  for (std::size_t count = 4080; count < 4110; ++count) check_after(count);
  for (std::size_t count = 8180; count < 8200; ++count) check_after(count);
}

TEST(FoldWords, ManyAndLongWordsAreAllThere) {
  EXPECT_EQ(words(repeated("a ", 3000)), Words(3000, "a"));
  EXPECT_EQ(words(repeated("京", 3000)), Words(3000, "京"));
  EXPECT_EQ(words(repeated("x京", 1500) + "y").size(), 3001U);
  EXPECT_EQ(words(std::string(100'000, 'Q')), Words{std::string(100'000, 'q')});
  EXPECT_EQ(words(repeated("É", 100'000)), Words{repeated("é", 100'000)});
  for (std::size_t before = 250; before < 260; ++before) {
    const Words found = words(repeated("a ", before) + repeated("É", 300) + "-京b");
    ASSERT_EQ(found.size(), before + 3);
    EXPECT_EQ(found[before], repeated("é", 300));
    EXPECT_EQ(found.back(), "b");
  }
}

TEST(Fold, TextThatGrowsHasCapacity) {
  EXPECT_EQ(chars(std::string(5000, '\xFF')), repeated("\xED\xB3\xBF", 5000));
  EXPECT_EQ(words(std::string(5000, '\xFF')), Words{repeated("\xED\xB3\xBF", 5000)});
  EXPECT_EQ(chars(std::string(5000, '\xFF'), TokenMode::ascii), repeated("\xED\xB3\xBF", 5000));
  EXPECT_EQ(chars(repeated("\U0001D160", 5000)), repeated("\U0001D158\U0001D165\U0001D16E", 5000));
  EXPECT_EQ(words(repeated("\u0958", 5000)), Words{repeated("\u0915\u093C", 5000)});
  EXPECT_EQ(words("x" + repeated("\u0344", 5000)).at(0).size(), 1 + 4 * 5000U);
}

TEST(Fold, AMillionMarksAreNoTrouble) {
  const Words found = words("q" + repeated("\u030D\u0331", 500'000));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], "q" + repeated("\u0331", 500'000) + repeated("\u030D", 500'000));
}

TEST(Fold, AFoldedTextCanBeFilledAgain) {
  FoldedText folded;
  const std::string first = padded(repeated("Straße ", 200));
  fold_words(std::string_view(first).substr(0, first.size() - kPadding), TokenMode::unicode,
             folded);
  const std::size_t capacity = folded.bytes.capacity();
  const std::string second = padded("Ab c");
  fold_words(std::string_view(second).substr(0, 4), TokenMode::unicode, folded);
  EXPECT_EQ(folded.tokens.size(), 2U);
  EXPECT_EQ(folded.bytes.view(), "ab c");
  EXPECT_EQ(folded.bytes.capacity(), capacity);
  fold_chars(std::string_view(second).substr(0, 4), TokenMode::ascii, folded);
  EXPECT_EQ(folded.bytes.view(), "ab c");
  EXPECT_TRUE(folded.tokens.empty());
  fold_words({}, TokenMode::unicode, folded);
  EXPECT_TRUE(folded.tokens.empty());
  EXPECT_EQ(folded.bytes.size(), 0U);
}

TEST(Fold, TextAboveTwoGibibytesIsRefused) {
  FoldedText folded;
  const std::string small = padded("a");
  // This is never read, because the size is checked first.
  const std::string_view huge(small.data(), (std::size_t{1} << 31) + 1);
  EXPECT_THROW(fold_words(huge, TokenMode::unicode, folded), Error);
  EXPECT_THROW(fold_chars(huge, TokenMode::ascii, folded), Error);
}

}  // namespace
}  // namespace sosie
