#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Normalisation of text before shingling, in its plainest form: well-formed UTF-8, and the plain
// (ASCII) definition of words and characters.
namespace sosie::reference {

struct ByteRange {
  unsigned char first;
  unsigned char last;
};

// All well-formed sequences according to the Unicode Standard, table 3-7.
inline const std::vector<std::vector<ByteRange>>& well_formed_sequences() {
  static const std::vector<std::vector<ByteRange>> kRows = {
      {{0x00, 0x7F}},
      {{0xC2, 0xDF}, {0x80, 0xBF}},
      {{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}},
      {{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}},
      {{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}},
      {{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}},
      {{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
      {{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}},
      {{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}},
  };
  return kRows;
}

// The number of bytes at the start of the text that match the row.
inline std::size_t matching_bytes(std::string_view text, const std::vector<ByteRange>& row) {
  std::size_t count = 0;
  while (count < std::min(text.size(), row.size())) {
    const auto byte = static_cast<unsigned char>(text[count]);
    if (byte < row[count].first || byte > row[count].last) break;
    ++count;
  }
  return count;
}

// The text with each maximal ill-formed subpart replaced with U+FFFD. Such a subpart is the longest
// beginning of a well-formed sequence, or else a single byte.
inline std::string replace_ill_formed(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t longest = 1;
    bool is_whole = false;
    for (const auto& row : well_formed_sequences()) {
      const std::size_t count = matching_bytes(text, row);
      longest = std::max(longest, count);
      is_whole = is_whole || count == row.size();
    }
    out += is_whole ? text.substr(0, longest) : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(longest);
  }
  return out;
}

// The text with each ill-formed byte replaced with U+`base` + byte; `base` ends in 00 and is above
// U+07FF.
inline std::string escape_ill_formed(std::string_view text, unsigned base) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  std::string out;
  while (!text.empty()) {
    std::size_t size = 0;
    for (const auto& row : well_formed_sequences()) {
      if (matching_bytes(text, row) == row.size()) size = row.size();
    }
    if (size > 0) {
      out += text.substr(0, size);
    } else {
      const unsigned c = base + static_cast<unsigned char>(text.front());
      if (c < 0x10000) {
        out += byte(0xE0 | c >> 12);
      } else {
        out += byte(0xF0 | c >> 18);
        out += byte(0x80 | (c >> 12 & 0x3F));
      }
      out += byte(0x80 | (c >> 6 & 0x3F));
      out += byte(0x80 | (c & 0x3F));
    }
    text.remove_prefix(std::max<std::size_t>(1, size));
  }
  return out;
}

// The base of the code points that normalisation produces for ill-formed bytes; they do not occur
// in well-formed text.
inline constexpr unsigned kByteEscapes = 0xDC00;

// A block of characters that fold to themselves and combine with nothing. Another normaliser reads
// ill-formed bytes as these characters; with_byte_escapes() then converts its result to the one
// expected from ours.
inline constexpr unsigned kCuneiform = 0x12000;

inline std::string with_byte_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("\xF0\x92") && text.size() >= 4) {
      out += '\xED';
      out += static_cast<char>(text[2] | 0x30);
      out += text[3];
      text.remove_prefix(4);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

inline char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline std::vector<std::string> ascii_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char raw : text) {
    const char c = ascii_lower(raw);
    const bool is_word_byte = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
                              static_cast<unsigned char>(c) >= 0x80;
    if (is_word_byte && !in_word) words.emplace_back();
    if (is_word_byte) words.back() += c;
    in_word = is_word_byte;
  }
  return words;
}

inline std::string ascii_chars(std::string_view text) {
  std::string out;
  for (const char c : escape_ill_formed(text, kByteEscapes)) {
    const bool is_blank = std::string_view(" \t\n\v\f\r\0", 7).find(c) != std::string_view::npos;
    if (!is_blank) out += ascii_lower(c);
    if (is_blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace sosie::reference
