#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.h"
#include "reference/normalize.h"
#include "represent/folded_text.h"

// Texts and padding shared by the tests of normalize.h.
namespace sosie {

using Words = std::vector<std::string>;

// Pads a text with combining acute accents, which would change the result if they were read.
inline std::string padded(std::string_view text) {
  std::string out(text);
  while (out.size() < text.size() + kPadding) out += "\u0301";
  return out;
}

inline Words words(std::string_view text, TokenMode mode = TokenMode::unicode) {
  const std::string buffer = padded(text);
  FoldedText folded;
  fold_words(std::string_view(buffer).substr(0, text.size()), mode, folded);
  Words out;
  for (const TokenSpan& token : folded.tokens) {
    out.emplace_back(folded.bytes.view().substr(token.begin, token.end - token.begin));
  }
  return out;
}

inline std::string chars(std::string_view text, TokenMode mode = TokenMode::unicode) {
  const std::string buffer = padded(text);
  FoldedText folded;
  fold_chars(std::string_view(buffer).substr(0, text.size()), mode, folded);
  EXPECT_TRUE(folded.tokens.empty());
  return std::string(folded.bytes.view());
}

inline Words with_byte_escapes(Words text) {
  for (std::string& word : text) word = reference::with_byte_escapes(word);
  return text;
}

inline std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

inline std::string encoded(char32_t code_point) {
  unsigned char bytes[4];
  const std::size_t size = encode_code_point(code_point, bytes);
  return {bytes, bytes + size};
}

struct Range {
  char32_t first;
  char32_t last;
};

// Corner cases of normalisation, folding and division into words.
inline constexpr Range kTrickyRanges[] = {
    {0x00, 0x20},       {0x21, 0x7E},       {0x85, 0x17F},      {0x1C4, 0x233},
    {0x2B0, 0x36F},     {0x370, 0x3FF},     {0x400, 0x45F},     {0x531, 0x600},
    {0x900, 0x97F},     {0x9BE, 0x9D7},     {0xDC0, 0xDDF},     {0xE00, 0xE7F},
    {0xF40, 0xFBC},     {0x1000, 0x103F},   {0x1100, 0x11FF},   {0x13A0, 0x13FF},
    {0x1AB0, 0x1AFF},   {0x1B00, 0x1B44},   {0x1DC0, 0x1DFF},   {0x1E00, 0x1FFF},
    {0x2000, 0x206F},   {0x2126, 0x2132},   {0x2190, 0x22ED},   {0x2ADC, 0x2ADD},
    {0x3000, 0x30FF},   {0xAB70, 0xAC40},   {0xD788, 0xD7FB},   {0xF900, 0xFB4F},
    {0xFF00, 0xFFFD},   {0x10400, 0x1044F}, {0x11099, 0x110BA}, {0x1D15E, 0x1D1C0},
    {0x1E900, 0x1E94A}, {0x2F800, 0x2FA1D}, {0xE0100, 0xE0102}, {0x10FFFE, 0x10FFFF},
};

inline char32_t tricky_code_point(std::mt19937& random) {
  const Range range = kTrickyRanges[random() % std::size(kTrickyRanges)];
  return range.first + static_cast<char32_t>(random() % (range.last - range.first + 1));
}

// Up to 40 code points; code points of the same range tend to be adjacent.
inline std::string tricky_text(unsigned seed) {
  std::mt19937 random(seed);
  std::string out;
  char32_t code_point = tricky_code_point(random);
  for (std::size_t left = random() % 41; left > 0; --left) {
    code_point = random() % 3 == 0 ? tricky_code_point(random) : code_point ^ (random() & 7U);
    if (code_point < 0xD800 || code_point - 0xE000 <= 0x10FFFF - 0xE000) {
      out += encoded(code_point);
    }
  }
  return out;
}

}  // namespace sosie
