// Tests of normalisation against utf8proc, another implementation of the same Unicode version.
#ifdef SOSIE_HAVE_UTF8PROC

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "core/utf8.h"
#include "kernels/on_every_target_test.h"
#include "reference/normalize.h"
#include "represent/tricky_text_test.h"
#include "represent/unicode_tables.h"

namespace sosie {
namespace {

std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* result = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &result,
                                 static_cast<utf8proc_option_t>(options));
  EXPECT_GE(size, 0);
  std::string out(result, result + size);
  std::free(result);
  return out;
}

std::string oracle_fold(std::string_view text) {
  constexpr int kCompose = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
  return mapped(mapped(text, kCompose), kCompose | UTF8PROC_CASEFOLD);
}

std::u32string code_points(std::string_view text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = at + text.size();
  std::u32string out;
  while (at != end) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    out += decoded.code_point;
    at += decoded.size;
  }
  return out;
}

// Property White_Space, and NUL.
bool is_blank(char32_t c) {
  constexpr std::u32string_view kOthers = U"\x20\x85\xA0\x1680\x2028\x2029\x202F\x205F\x3000";
  return c == 0 || (c >= 9 && c <= 13) || (c >= 0x2000 && c <= 0x200A) ||
         kOthers.find(c) != std::u32string_view::npos;
}

std::string blanks_squeezed(std::string_view folded) {
  std::string out;
  for (const char32_t c : code_points(folded)) {
    if (!is_blank(c)) out += encoded(c);
    if (is_blank(c) && !out.empty() && out.back() != ' ') out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

bool is_word_character(char32_t c) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO) ||
         category == UTF8PROC_CATEGORY_PC;
}

// utf8proc knows no scripts, so our own table decides which characters form words alone.
Words cut_into_words(std::string_view folded) {
  Words out;
  bool in_word = false;
  for (const char32_t c : code_points(folded)) {
    const bool is_single = unicode::properties_of(c).char_class() == unicode::CharClass::single;
    if (is_word_character(c)) {
      if (is_single || !in_word) out.emplace_back();
      out.back() += encoded(c);
    }
    in_word = is_word_character(c) && !is_single;
  }
  return out;
}

void expect_oracle_agrees(std::string_view text, std::string_view where) {
  const std::string folded = oracle_fold(text);
  EXPECT_EQ(chars(text), blanks_squeezed(folded)) << where;
  EXPECT_EQ(words(text), cut_into_words(folded)) << where;
}

bool is_assigned(char32_t c) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category != UTF8PROC_CATEGORY_CN && category != UTF8PROC_CATEGORY_CO;
}

// True for a character that utf8proc knows but that was added to Unicode after the version of our
// tables. All other later additions are separators, like unassigned characters.
bool is_of_later_unicode(char32_t c) {
  static const bool is_later = utf8proc_unicode_version() != std::string_view("15.0.0");
  return is_later && is_word_character(c) &&
         unicode::properties_of(c).char_class() == unicode::CharClass::separator;
}

TEST(Fold, EveryCodePointAloneAndAmongOthersAgreesWithUtf8proc) {
  std::string text;
  for (char32_t c = 0; c <= 0x10FFFF && !HasFailure(); ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string own = encoded(c);
    if (!is_of_later_unicode(c)) text += "\n" + own;
    if (is_assigned(c) && !is_of_later_unicode(c)) {
      text += "\nA" + own + "b\n\u0301" + own + "\u0301\ne" + own + "\u0323\nα" + own + "\u0345\n" +
              own + own + "\n\u1100" + own + "\u11A8";
    }
    if (c % 64 != 63) continue;
    expect_oracle_agrees(text, own);
    text.clear();
  }
}

TEST(Fold, TrickyTextAgreesWithUtf8proc) {
  for (unsigned seed = 0; seed < 10'000 && !HasFailure(); ++seed) {
    expect_oracle_agrees(tricky_text(seed), std::to_string(seed));
  }
}

// A few hundred characters, mostly plain ones from a single script, with some of another kind and
// some invalid UTF-8 bytes.
std::string ordinary_text(unsigned seed) {
  constexpr Range kScripts[] = {{0x20, 0x7E},     {0xA0, 0x17F},    {0x386, 0x3CE},
                                {0x400, 0x45F},   {0x5D0, 0x5EA},   {0x1EA0, 0x1EF9},
                                {0x2010, 0x2030}, {0x3000, 0x30FF}, {0x4E00, 0x9FFF},
                                {0xAC00, 0xD7A3}, {0xFF00, 0xFF5E}, {0x1F300, 0x20010}};
  std::mt19937 random(seed);
  const Range script = kScripts[random() % std::size(kScripts)];
  const auto others = 4 + random() % 40;  // one in this many is of another kind
  std::string out;
  for (std::size_t left = random() % 300; left > 0; --left) {
    const Range from = random() % others == 0 ? kScripts[random() % std::size(kScripts)] : script;
    out += encoded(from.first + static_cast<char32_t>(random() % (from.last - from.first + 1)));
    if (random() % 4 == 0) out += "  .a"[random() % 4];
    if (random() % 200 == 0) out += "\xCC\xE4\xB8\xF0\xED\xA0\xC0"[random() % 7];
    if (random() % 200 == 0) out += tricky_text(static_cast<unsigned>(random()));
  }
  return out;
}

TEST(Fold, OrdinaryAndTrickyTextAgreeWithUtf8procOnEveryTarget) {
  kernels::on_every_target([](std::string_view target) {
    for (unsigned seed = 0; seed < 2'000 && !testing::Test::HasFailure(); ++seed) {
      const std::string where = std::string(target) + ' ' + std::to_string(seed);
      const std::string text = ordinary_text(seed);
      const std::string folded =
          oracle_fold(reference::escape_ill_formed(text, reference::kCuneiform));
      EXPECT_EQ(chars(text), reference::with_byte_escapes(blanks_squeezed(folded))) << where;
      EXPECT_EQ(words(text), with_byte_escapes(cut_into_words(folded))) << where;
      expect_oracle_agrees(tricky_text(seed), where);
    }
  });
}

// Words are marked in pieces of 2,048 bytes, and long texts are folded block by block.
TEST(Fold, PiecesOfLongTextsEndAnywhere) {
  for (std::size_t before = 2030; before < 2055 && !HasFailure(); ++before) {
    for (const std::string plain : {"a", "\u00E9", "\u0416", "e\u0301", "\u65E5"}) {
      const std::string text(before % plain.size(), ' ');
      const std::string head = text + repeated(plain, before / plain.size());
      for (unsigned seed = 0; seed < 5 && !HasFailure(); ++seed) {
        expect_oracle_agrees(head + tricky_text(seed) + repeated(plain, 50), plain);
      }
    }
  }
}

TEST(UnicodeTables, WordCharactersHaveTheCategoriesOfUtf8proc) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (is_of_later_unicode(c)) continue;
    ASSERT_EQ(unicode::properties_of(c).char_class() >= unicode::CharClass::word,
              is_word_character(c))
        << encoded(c);
  }
}

}  // namespace
}  // namespace sosie

#endif  // SOSIE_HAVE_UTF8PROC
