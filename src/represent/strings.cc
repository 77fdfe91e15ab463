// Prepares strings for edit distances: code points, normalised and optionally folded.
#include "represent/strings.h"

#include <algorithm>
#include <array>

#include "core/utf8.h"
#include "represent/compose_canonically.h"
#include "represent/unicode_tables.h"

namespace sosie {
namespace {

// Code points below this never compose with a preceding one, and all of them are their own NFC.
constexpr char32_t kFirstMark = 0x300;

// General category Pc: part of words, but not letters.
constexpr std::array<char32_t, 10> kConnectors = {0x5F,   0x203F, 0x2040, 0x2054, 0xFE33,
                                                  0xFE34, 0xFE4D, 0xFE4E, 0xFE4F, 0xFF3F};

bool is_letter(char32_t c) noexcept {
  if (is_escaped_byte(c)) return true;
  const auto char_class = unicode::properties_of(c).char_class();
  const bool of_word =
      char_class == unicode::CharClass::word || char_class == unicode::CharClass::single;
  return of_word && std::find(kConnectors.begin(), kConnectors.end(), c) == kConnectors.end();
}

bool joins(char32_t c) noexcept {
  return c >= kFirstMark && !is_escaped_byte(c) && unicode::properties_of(c).joins_previous();
}

// Escaped bytes in folded text are stored as the three bytes of their code points.
DecodedCodePoint decode_folded(const unsigned char* at, const unsigned char* end) noexcept {
  if (end - at >= 3 && at[0] == 0xED && at[1] >= 0xA0) {
    return {0xD000 | (at[1] & 0x3FU) << 6 | (at[2] & 0x3FU), 3};
  }
  return decode_code_point(at, end);
}

}  // namespace

bool is_blank(std::span<const char32_t> code_points) noexcept {
  return std::all_of(code_points.begin(), code_points.end(), [](char32_t c) {
    return !is_escaped_byte(c) &&
           unicode::properties_of(c).char_class() == unicode::CharClass::blank;
  });
}

void StringReader::read(std::string_view text) {
  if (form_ == StringForm::as_is) {
    decode(text);
    return;
  }
  fold_chars(text, TokenMode::unicode, folded_);
  is_well_formed_ = folded_.is_well_formed;
  const auto* at = reinterpret_cast<const unsigned char*>(folded_.bytes.data());
  points_.clear();
  for (const auto* end = at + folded_.bytes.size(); at != end;) {
    const DecodedCodePoint decoded = decode_folded(at, end);
    points_.push_back(decoded.code_point);
    at += decoded.size;
  }
  if (form_ == StringForm::letters) keep_letters();
  if (form_ == StringForm::words) keep_words();
}

void StringReader::decode(std::string_view text) {
  points_.resize(text.size());
  is_well_formed_ = true;
  bool may_join = false;
  std::size_t count = 0;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const auto* end = at + text.size(); at != end;) {
    if (*at < 0x80) {
      points_[count++] = *at++;
      continue;
    }
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    is_well_formed_ = is_well_formed_ && !is_escaped_byte(decoded.code_point);
    may_join = may_join || decoded.code_point >= kFirstMark;
    points_[count++] = decoded.code_point;
    at += decoded.size;
  }
  points_.resize(count);
  if (may_join) compose();
}

// A mark after a removed character may compose with the letter before it.
void StringReader::keep_letters() {
  const auto end =
      std::remove_if(points_.begin(), points_.end(), [](char32_t c) { return !is_letter(c); });
  points_.erase(end, points_.end());
  compose();
}

void StringReader::keep_words() {
  std::size_t count = 0;
  bool is_behind_others = false;
  for (const char32_t c : points_) {
    if (!is_letter(c)) {
      is_behind_others = count > 0;
      continue;
    }
    // The removed characters were at least one code point, so there is space for a blank.
    if (is_behind_others) points_[count++] = U' ';
    points_[count++] = c;
    is_behind_others = false;
  }
  points_.resize(count);
  compose();
}

// NFC, piece by piece; nearly all pieces are a single code point that is unchanged.
void StringReader::compose() {
  composed_.clear();
  for (std::size_t i = 0; i < points_.size();) {
    std::size_t end = i + 1;
    while (end < points_.size() && joins(points_[end])) ++end;
    const char32_t first = points_[i];
    const bool alone = end == i + 1;
    if (is_escaped_byte(first) || (alone && unicode::decomposition_offset(first) == 0)) {
      composed_.push_back(first);
      i += 1;
      continue;
    }
    segment_.assign(points_.begin() + static_cast<std::ptrdiff_t>(i),
                    points_.begin() + static_cast<std::ptrdiff_t>(end));
    unicode::compose_canonically(segment_);
    composed_.insert(composed_.end(), segment_.begin(), segment_.end());
    i = end;
  }
  points_.swap(composed_);
}

std::string text_of(std::span<const char32_t> code_points) {
  std::string text;
  for (const char32_t c : code_points) {
    unsigned char bytes[8] = {static_cast<unsigned char>(c - kByteEscapes)};
    const std::size_t size = is_escaped_byte(c) ? 1 : encode_code_point(c, bytes);
    text.append(reinterpret_cast<const char*>(bytes), size);
  }
  return text;
}

}  // namespace sosie
