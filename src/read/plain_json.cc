// One-pass reader for plain rows of JSON lines.
#include "read/plain_json.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/utf8.h"
#include "core/written_number.h"
#include "kernels/json_text.h"
#include "read/field_paths.h"

namespace sosie {
namespace {

constexpr int kMaxDepth = 64;
// Numbers with so few digits are within the range of any parser.
constexpr std::ptrdiff_t kMaxDigits = 18;

const unsigned char* bytes(const char* p) noexcept {
  return reinterpret_cast<const unsigned char*>(p);
}

// Reads four hexadecimal digits.
bool read_hex(const char* p, const char* end, char32_t& value) noexcept {
  if (end - p < 4) return false;
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(p, p + 4, number, 16);
  value = number;
  return error == std::errc{} && stop == p + 4 && *p != '-' && *p != '+';
}

}  // namespace

bool PlainJsonReader::can_read(const FieldRequest& request) {
  return request.form != TextForm::exact && request.form != TextForm::elements &&
         request.others.empty() && is_plain_name(request.column) && is_plain_name(request.id) &&
         request.id != request.column;
}

bool PlainJsonReader::read(std::string_view row, Record& out) {
  at_ = row.data();
  end_ = at_ + row.size();
  out_ = &out;
  has_text_ = false;
  has_id_ = id_.empty();
  out.id = {};
  out.others.clear();
  text_.reserve(row.size() + kPadding);
  if (!read_object() || !has_text_ || !has_id_) return false;
  skip_blanks();
  return at_ == end_;
}

void PlainJsonReader::skip_blanks() noexcept {
  while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
}

bool PlainJsonReader::take(char c) noexcept {
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

// Reads the members between brackets, after the opening one.
template <class Member>
bool PlainJsonReader::skip_members(char close, const Member& member) {
  skip_blanks();
  if (take(close)) return true;
  while (true) {
    if (!member()) return false;
    skip_blanks();
    if (take(close)) return true;
    if (!take(',')) return false;
    skip_blanks();
  }
}

bool PlainJsonReader::read_object() {
  skip_blanks();
  if (!take('{')) return false;
  return skip_members('}', [this] {
    std::string_view name;
    return read_name(name) && read_value(name);
  });
}

// Reads a name and the following colon.
bool PlainJsonReader::read_name(std::string_view& name) {
  if (!take('"')) return false;
  const char* begin = at_;
  while (at_ < end_ && *at_ != '"') {
    if (*at_ == '\\' || static_cast<unsigned char>(*at_) < 0x20 ||
        static_cast<unsigned char>(*at_) >= 0x80) {
      return false;
    }
    ++at_;
  }
  name = {begin, static_cast<std::size_t>(at_ - begin)};
  if (!take('"')) return false;
  skip_blanks();
  if (!take(':')) return false;
  skip_blanks();
  return true;
}

bool PlainJsonReader::read_value(std::string_view name) {
  if (name == column_) return read_text();
  if (!id_.empty() && name == id_) return read_id();
  return skip_value(0);
}

bool PlainJsonReader::read_text() {
  if (!take('"')) return false;
  std::size_t written = 0;
  while (true) {
    auto* to = reinterpret_cast<unsigned char*>(text_.data()) + written;
    const kernels::JsonText text = kernels::copy_json_text(bytes(at_), bytes(end_), to, drop_);
    if (text.stop == nullptr) return false;
    const auto length = static_cast<std::size_t>(text.stop - bytes(at_));
    if (text.non_ascii && !simdjson::validate_utf8(at_, length)) return false;
    written += text.written;
    if (!text.odd) {
      at_ += length + 1;
      break;
    }
    if (!copy_odd(text.stop, written)) return false;
  }
  text_.set_size(written);
  out_->text = text_.view();
  has_text_ = true;
  return true;
}

// Handles \b, and \u with a code point that is not a surrogate; `written` bytes precede it.
bool PlainJsonReader::copy_odd(const unsigned char* stop, std::size_t& written) {
  const char* p = at_ + (stop - bytes(at_));
  char32_t code_point = 0x08;
  if (*p == 'u') {
    if (!read_hex(p + 1, end_, code_point)) return false;
    p += 4;
    if (code_point >= 0xD800 && code_point < 0xE000) {
      char32_t low = 0;
      if (code_point >= 0xDC00 || end_ - p < 7 || p[1] != '\\' || p[2] != 'u' ||
          !read_hex(p + 3, end_, low) || low < 0xDC00 || low > 0xDFFF) {
        return false;
      }
      code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
      p += 6;
    }
  } else if (*p != 'b') {
    return false;
  }
  if (!drop_) --written;  // the backslash
  written +=
      encode_code_point(code_point, reinterpret_cast<unsigned char*>(text_.data()) + written);
  at_ = p + 1;
  return true;
}

// Reads a string without escapes, or an integer in its usual form.
bool PlainJsonReader::read_id() {
  has_id_ = true;
  const char* begin = at_;
  if (take('"')) {
    begin = at_;
    while (at_ < end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20 &&
           static_cast<unsigned char>(*at_) < 0x80) {
      ++at_;
    }
    out_->id = {begin, static_cast<std::size_t>(at_ - begin)};
    out_->id_is_integer = false;
    return take('"');
  }
  if (!skip_number()) return false;
  out_->id = {begin, static_cast<std::size_t>(at_ - begin)};
  out_->id_is_integer = true;
  return out_->id.find('.') == std::string_view::npos && out_->id != "-0";
}

bool PlainJsonReader::skip_value(int depth) {
  if (at_ == end_ || depth > kMaxDepth) return false;
  switch (*at_) {
    case '"':
      ++at_;
      return skip_string();
    case '{':
      ++at_;
      return skip_members('}', [this, depth] {
        std::string_view name;
        return read_name(name) && skip_value(depth + 1);
      });
    case '[':
      ++at_;
      return skip_members(']', [this, depth] { return skip_value(depth + 1); });
    case 't':
      return skip_word("true");
    case 'f':
      return skip_word("false");
    case 'n':
      return skip_word("null");
    default:
      return skip_number();
  }
}

// Starts after the opening quote. Short strings, the most frequent, end within the first few bytes.
bool PlainJsonReader::skip_string() {
  constexpr std::ptrdiff_t kShort = 24;
  const char* stop = at_ + std::min(kShort, end_ - at_);
  for (const char* p = at_; p < stop; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"') {
      at_ = p + 1;
      return true;
    }
    if (c == '\\' || c >= 0x80) break;
    if (c < 0x20) return false;
  }
  skipped_.reserve(static_cast<std::size_t>(end_ - at_) + kPadding);
  const kernels::JsonText text = kernels::copy_json_text(
      bytes(at_), bytes(end_), reinterpret_cast<unsigned char*>(skipped_.data()), false);
  if (text.odd || text.stop == nullptr) return false;
  const auto length = static_cast<std::size_t>(text.stop - bytes(at_));
  if (text.non_ascii && !simdjson::validate_utf8(at_, length)) return false;
  at_ += length + 1;
  return true;
}

bool PlainJsonReader::skip_number() {
  if (at_ < end_ && *at_ == '-') ++at_;
  const char* begin = at_;
  while (at_ < end_ && is_digit(*at_)) ++at_;
  const std::ptrdiff_t digits = at_ - begin;
  if (digits == 0 || digits > kMaxDigits || (digits > 1 && *begin == '0')) return false;
  if (take('.')) {
    const char* fraction = at_;
    while (at_ < end_ && is_digit(*at_)) ++at_;
    if (at_ == fraction || at_ - fraction > kMaxDigits) return false;
  }
  // An exponent, or anything else that cannot follow a number, is left to the full parser.
  return at_ < end_ && (*at_ == ',' || *at_ == '}' || *at_ == ']' || *at_ == ' ');
}

bool PlainJsonReader::skip_word(std::string_view word) {
  if (static_cast<std::size_t>(end_ - at_) < word.size() ||
      std::memcmp(at_, word.data(), word.size()) != 0) {
    return false;
  }
  at_ += word.size();
  return true;
}

}  // namespace sosie
