#include "core/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <string_view>
#include <vector>

#include "reference/normalize.h"

namespace sosie {
namespace {

std::string encoded(char32_t code_point) {
  unsigned char bytes[4];
  const std::size_t size = encode_code_point(code_point, bytes);
  return {bytes, bytes + size};
}

// Decodes and re-encodes the text, which replaces ill-formed bytes.
std::string through_decoder(std::string_view text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = at + text.size();
  std::string out;
  while (at != end) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    out += encoded(decoded.code_point);
    at += decoded.size;
  }
  return out;
}

std::string replacements(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "\uFFFD";
  return out;
}

TEST(Utf8, EveryScalarValueSurvivesEncodingAndDecoding) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string bytes = encoded(c);
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
    const DecodedCodePoint decoded = decode_code_point(at, at + bytes.size());
    ASSERT_EQ(decoded.code_point, c);
    ASSERT_EQ(decoded.size, bytes.size());
  }
}

TEST(Utf8, MaximalSubpartsBecomeOneReplacementEach) {
  // The Unicode Standard, tables 3-8 to 3-11.
  EXPECT_EQ(through_decoder("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82"
                            "A"),
            replacements(8) + "A");
  EXPECT_EQ(through_decoder("\xED\xA0\x80\xED\xBF\xBF\xED\xAF"
                            "A"),
            replacements(8) + "A");
  EXPECT_EQ(through_decoder("\xF4\x91\x92\x93\xFF"
                            "A\x80\xBF"
                            "B"),
            replacements(5) + "A" + replacements(2) + "B");
  EXPECT_EQ(through_decoder("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
                            "A"),
            replacements(4) + "A");
}

TEST(Utf8, SequencesCutShortByTheEndAreOneReplacement) {
  for (const std::string_view whole : {"\u00E9", "\u20AC", "\U0001F600"}) {
    for (std::size_t size = 1; size < whole.size(); ++size) {
      EXPECT_EQ(through_decoder(whole.substr(0, size)), "\uFFFD");
    }
  }
}

TEST(Utf8, DecodingAgreesWithTheReferenceOnAllEdgesOfTable37) {
  constexpr std::string_view kEdges(
      "\x00\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5"
      "\xFF",
      23);
  for (const char a : kEdges) {
    for (const char b : kEdges) {
      for (const char c : kEdges) {
        for (const char d : {'\x7F', '\x80', '\xBF', '\xC2'}) {
          const std::string text = {a, b, c, d};
          ASSERT_EQ(through_decoder(text), reference::replace_ill_formed(text));
        }
      }
    }
  }
}

TEST(Utf8, DecodingAgreesWithTheReferenceOnRandomBytes) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    RC_ASSERT(through_decoder(text) == reference::replace_ill_formed(text));
  }));
}

TEST(Utf8, EscapingAgreesWithTheReferenceAndFindsTheFirstIllFormedByte) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    std::string escaped;
    const auto* at = reinterpret_cast<const unsigned char*>(text.data());
    for (const auto* end = at + text.size(); at != end;) {
      const DecodedCodePoint decoded = decode_or_escape(at, end);
      unsigned char bytes[4];
      const std::size_t size = encode_code_point(decoded.code_point, bytes);
      escaped.append(bytes, bytes + size);
      at += decoded.size;
    }
    RC_ASSERT(escaped == reference::escape_ill_formed(text, reference::kByteEscapes));
    const auto differs = std::mismatch(text.begin(), text.end(), escaped.begin(), escaped.end());
    // The ill-formed byte itself may be the lead byte of an escape.
    const auto first = static_cast<std::size_t>(differs.first - text.begin());
    const std::size_t found = find_ill_formed_utf8(text);
    const bool well_formed = escaped == text;
    const bool right =
        well_formed ? found == std::string::npos : found <= first && first <= found + 2;
    RC_ASSERT(right);
  }));
}

}  // namespace
}  // namespace sosie
