// Normalisation against utf8proc, which is another implementation of the same Unicode version.
#ifdef SOSIE_HAVE_UTF8PROC

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "core/utf8.h"
#include "represent/normalize_test.h"
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

// utf8proc knows no scripts: which characters stand alone is taken from our own table.
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

TEST(Fold, EveryCodePointAloneAndAmongOthersAgreesWithUtf8proc) {
  std::string text;
  for (char32_t c = 0; c <= 0x10FFFF && !HasFailure(); ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string own = encoded(c);
    text += "\n" + own;
    if (is_assigned(c)) {
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

// Plain text is folded in pieces of 4096 bytes.
TEST(Fold, PiecesOfLongTextsEndAnywhere) {
  for (std::size_t before = 4090; before < 4100 && !HasFailure(); ++before) {
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
    ASSERT_EQ(unicode::properties_of(c).char_class() >= unicode::CharClass::word,
              is_word_character(c))
        << encoded(c);
  }
}

}  // namespace
}  // namespace sosie

#endif  // SOSIE_HAVE_UTF8PROC
