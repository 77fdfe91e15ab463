// Tests converting strings to the code points that edits operate on.
#include "represent/strings.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "data/padded_bytes.h"

namespace sosie {
namespace {

std::u32string read_as(StringForm form, std::string_view text) {
  PaddedBytes padded;
  padded.reserve(text.size());
  std::copy(text.begin(), text.end(), padded.data());
  padded.set_size(text.size());
  StringReader reader(form);
  reader.read(padded.view());
  const auto points = reader.code_points();
  return {points.begin(), points.end()};
}

std::u32string as_is(std::string_view text) { return read_as(StringForm::as_is, text); }
std::u32string folded(std::string_view text) { return read_as(StringForm::folded, text); }
std::u32string letters(std::string_view text) { return read_as(StringForm::letters, text); }

TEST(Strings, AreCodePointsInNormalFormC) {
  EXPECT_EQ(as_is(""), U"");
  EXPECT_EQ(as_is("Zoe\u0308 A\u030A \u212B"), U"Zo\u00EB \u00C5 \u00C5");
  EXPECT_EQ(as_is("\u1112\u1161\u11AB"), U"\uD55C");
  EXPECT_EQ(as_is("a\u0323\u0307"), as_is("a\u0307\u0323"));
  EXPECT_EQ(as_is("\u0958"), U"\u0915\u093C");  // excluded from composition
  EXPECT_EQ(as_is("  A b "), U"  A b ");
}

TEST(Strings, AreFoldedWithTheirBlanks) {
  EXPECT_EQ(folded(" \tJos\u00C9   M\u00DCLLER\n"), U"jos\u00E9 m\u00FCller");
  EXPECT_EQ(folded("Stra\u00DFe"), U"strasse");
  EXPECT_EQ(folded("\u03A3\u038A\u03A3"), U"\u03C3\u03AF\u03C3");
}

// İ folds to i with a dot above, which is different from i; I folds to i in all languages except
// Turkish.
TEST(Strings, FoldTheTurkishIByTheRulesForAllLanguages) {
  EXPECT_EQ(folded("\u0130stanbul"), U"i\u0307stanbul");
  EXPECT_EQ(folded("ISTANBUL"), U"istanbul");
  EXPECT_EQ(letters("\u0130"), U"i\u0307");
}

TEST(Strings, KeepLettersMarksAndNumbersAlone) {
  EXPECT_EQ(letters("O'Neil-Smith, J. (2nd)"), U"oneilsmithj2nd");
  EXPECT_EQ(letters("snake_case\u203F\uFF3F"), U"snakecase");
  EXPECT_EQ(letters("x\u00B2 \u00BD \u0660"), U"x\u00B2\u00BD\u0660");
  EXPECT_EQ(letters("\u6771\u4EAC \u0E01\u0E34"), U"\u6771\u4EAC\u0E01\u0E34");
  // The hyphen between a letter and a mark has been removed.
  EXPECT_EQ(letters("e-\u0301"), U"\u00E9");
}

TEST(Strings, HoldEmojiSequencesAsTheirCodePoints) {
  const std::string_view woman_technologist = "\U0001F469\u200D\U0001F4BB";
  EXPECT_EQ(as_is(woman_technologist), U"\U0001F469\u200D\U0001F4BB");
  EXPECT_EQ(folded(woman_technologist), U"\U0001F469\u200D\U0001F4BB");
  EXPECT_EQ(letters("ok \U0001F44D\U0001F3FD"), U"ok");
}

TEST(Strings, HoldEachIllFormedByteAsALetterOfItsOwn) {
  const std::u32string escaped = {'A', 0xDCFF, 'B', 0xDCC3};
  EXPECT_EQ(as_is("A\xFF"
                  "B\xC3"),
            escaped);
  EXPECT_EQ(folded("a\xFF"
                   "B\xC3"),
            (std::u32string{'a', 0xDCFF, 'b', 0xDCC3}));
  EXPECT_EQ(letters("a \xFF"), (std::u32string{'a', 0xDCFF}));
  // A mark does not combine with it.
  EXPECT_EQ(as_is("\xFF\u0301"), (std::u32string{0xDCFF, 0x301}));
  EXPECT_EQ(text_of(escaped),
            "A\xFF"
            "B\xC3");
  StringReader reader(StringForm::as_is);
  reader.read("A\xFF");
  EXPECT_FALSE(reader.is_well_formed());
  reader.read("A");
  EXPECT_TRUE(reader.is_well_formed());
}

TEST(Strings, KeepNulUnlessBlanksAreFolded) {
  const std::string_view nul("a\0b", 3);
  EXPECT_EQ(as_is(nul), std::u32string(U"a\0b", 3));
  EXPECT_EQ(folded(nul), U"a b");
  EXPECT_EQ(letters(nul), U"ab");
}

RC_GTEST_PROP(Strings, StayAsTheyAreWhenReadAgain, ()) {
  const auto text = *rc::gen::container<std::u32string>(rc::gen::element<char32_t>(
      'a', 'A', ' ', '-', 0xE9, 0x130, 0x301, 0x307, 0x323, 0x345, 0x1100, 0x1161, 0x11A8, 0xAC00,
      0x3A3, 0xFB03, 0x1F469, 0x200D, 0xDC80, 0xDCFF, 0x958));
  const std::string bytes = text_of(std::vector<char32_t>(text.begin(), text.end()));
  for (const StringForm form : {StringForm::as_is, StringForm::folded, StringForm::letters}) {
    const std::u32string once = read_as(form, bytes);
    const std::string again = text_of(std::vector<char32_t>(once.begin(), once.end()));
    RC_ASSERT(read_as(form, again) == once);
  }
}

}  // namespace
}  // namespace sosie
