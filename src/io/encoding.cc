// Encodings of text files: names, codecs by tables or rules, and decoding in pieces.
#include "io/encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/ascii_lower.h"
#include "core/utf8.h"
#include "io/append_escaped.h"
#include "io/detect_encoding.h"
#include "io/encoding_tables.h"
#include "io/iconv_codec.h"
#include "sosie/error.h"

namespace sosie {
namespace {

class TableCodec final : public Codec {
 public:
  explicit TableCodec(const EncodingTable& table) {
    for (std::size_t i = 0; i < table.letters.size(); ++i) {
      const char32_t letter = table.letters[i];
      const auto byte = static_cast<unsigned char>(0x80 + i);
      append_code_point(letter == 0 ? kByteEscapes + byte : letter, texts_[i]);
      if (letter != 0) bytes_.emplace_back(letter, static_cast<char>(byte));
    }
    std::sort(bytes_.begin(), bytes_.end());
  }

  std::size_t decode(std::string_view bytes, bool /*is_last*/, std::string& out) const override {
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        out += c;
      } else {
        out += texts_[byte - 0x80];
      }
    }
    return bytes.size();
  }

  bool encode(std::string_view text, std::string& out) const override {
    for (std::size_t at = 0; at < text.size();) {
      const DecodedCodePoint read = next_of_decoded(text, at);
      at += read.size;
      if (read.code_point < 0x80) {
        out += static_cast<char>(read.code_point);
      } else if (is_any_escaped_byte(read.code_point)) {
        out += static_cast<char>(read.code_point - kByteEscapes);
      } else {
        const auto found = std::lower_bound(bytes_.begin(), bytes_.end(),
                                            std::pair<char32_t, char>{read.code_point, '\x80'});
        if (found == bytes_.end() || found->first != read.code_point) return false;
        out += found->second;
      }
    }
    return true;
  }

 private:
  std::array<std::string, 128> texts_;            // characters for the bytes 0x80 and above
  std::vector<std::pair<char32_t, char>> bytes_;  // by letter
};

enum class ByteOrder : std::uint8_t { little, big };

// Codec for UTF-16 and UTF-32.
class UnitCodec final : public Codec {
 public:
  UnitCodec(std::size_t unit_bytes, ByteOrder order) : unit_bytes_(unit_bytes), order_(order) {}

  std::size_t decode(std::string_view bytes, bool is_last, std::string& out) const override {
    std::size_t at = 0;
    while (bytes.size() - at >= unit_bytes_) {
      const std::string_view rest = bytes.substr(at);
      const char32_t unit = unit_at(rest);
      std::size_t size = unit_bytes_;
      char32_t c = unit;
      if (unit_bytes_ == 2 && is_high(unit)) {
        if (rest.size() < 4 && !is_last) break;
        const char32_t low = rest.size() < 4 ? 0 : unit_at(rest.substr(2));
        if (is_low(low)) {
          c = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
          size = 4;
        }
      }
      if (c > 0x10FFFF || is_high(c) || is_low(c)) {
        append_escaped(rest.substr(0, size), out);
      } else {
        append_code_point(c, out);
      }
      at += size;
    }
    if (!is_last) return at;
    append_escaped(bytes.substr(at), out);
    return bytes.size();
  }

  bool encode(std::string_view text, std::string& out) const override {
    for (std::size_t at = 0; at < text.size();) {
      const DecodedCodePoint read = next_of_decoded(text, at);
      if (read.code_point == kReplacementCharacter && read.size == 1) return false;
      at += read.size;
      const char32_t c = read.code_point;
      if (is_any_escaped_byte(c)) {
        out += static_cast<char>(c - kByteEscapes);
      } else if (unit_bytes_ == 2 && c > 0xFFFF) {
        append_unit(0xD800 + ((c - 0x10000) >> 10), out);
        append_unit(0xDC00 + (c & 0x3FF), out);
      } else {
        append_unit(c, out);
      }
    }
    return true;
  }

 private:
  static bool is_high(char32_t unit) noexcept { return unit >= 0xD800 && unit < 0xDC00; }
  static bool is_low(char32_t unit) noexcept { return unit >= 0xDC00 && unit < 0xE000; }

  [[nodiscard]] unsigned shift_of(std::size_t i) const noexcept {
    return 8 * static_cast<unsigned>(order_ == ByteOrder::little ? i : unit_bytes_ - 1 - i);
  }
  [[nodiscard]] char32_t unit_at(std::string_view bytes) const noexcept {
    char32_t unit = 0;
    for (std::size_t i = 0; i < unit_bytes_; ++i) {
      unit |= static_cast<char32_t>(static_cast<unsigned char>(bytes[i])) << shift_of(i);
    }
    return unit;
  }
  void append_unit(char32_t unit, std::string& out) const {
    for (std::size_t i = 0; i < unit_bytes_; ++i) out += static_cast<char>(unit >> shift_of(i));
  }

  std::size_t unit_bytes_;
  ByteOrder order_;
};

// The encodings made of units, with their byte order marks; longer marks first.
struct UnitEncoding {
  std::string_view name;
  std::string_view key;  // see key_of()
  std::string_view mark;
  std::size_t unit_bytes;
  ByteOrder order;
};
using namespace std::string_view_literals;
constexpr std::array kUnitEncodings = {
    UnitEncoding{"utf-32le", "utf32le", "\xFF\xFE\0\0"sv, 4, ByteOrder::little},
    UnitEncoding{"utf-32be", "utf32be", "\0\0\xFE\xFF"sv, 4, ByteOrder::big},
    UnitEncoding{"utf-16le", "utf16le", "\xFF\xFE"sv, 2, ByteOrder::little},
    UnitEncoding{"utf-16be", "utf16be", "\xFE\xFF"sv, 2, ByteOrder::big},
};
constexpr std::size_t kLongestMark = 4;

FileEncoding encoding_of_units(const UnitEncoding& found, bool has_mark) {
  return {std::string(found.name), has_mark ? std::string(found.mark) : std::string(),
          std::make_shared<UnitCodec>(found.unit_bytes, found.order)};
}

// The form in which names are compared.
std::string key_of(std::string_view name) {
  std::string key;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    key += ascii_lower(c);
  }
  if (key == "latin1" || key == "l1" || key == "iso88591") return "latin1";
  if (key.starts_with("cp125")) return "windows" + key.substr(2);
  return key;
}

bool is_utf8_key(std::string_view key) {
  return key == "utf8" || key == "ascii" || key == "usascii" || key == "utf8sig";
}

const EncodingTable* table_of(std::string_view key) {
  const auto tables = encoding_tables();
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const EncodingTable& table) {
    return key_of(table.name) == key;
  });
  return found == tables.end() ? nullptr : &*found;
}

FileEncoding utf8(std::string_view head) {
  FileEncoding encoding;
  if (head.starts_with(kByteOrderMark)) encoding.mark = kByteOrderMark;
  return encoding;
}

std::optional<FileEncoding> encoding_by_mark(std::string_view head) {
  for (const UnitEncoding& each : kUnitEncodings) {
    if (head.starts_with(each.mark)) return encoding_of_units(each, true);
  }
  return std::nullopt;
}

// utf-16 or utf-32, or one of them with an explicit byte order.
std::optional<FileEncoding> units_by_name(std::string_view head, std::string_view key) {
  const UnitEncoding* found = nullptr;
  for (const UnitEncoding& each : kUnitEncodings) {
    if (!each.key.starts_with(key) || key.size() < 5) continue;
    if (head.starts_with(each.mark)) return encoding_of_units(each, true);
    if (found == nullptr) found = &each;  // the one with the least byte first
  }
  if (found == nullptr) return std::nullopt;
  return encoding_of_units(*found, false);
}

}  // namespace

bool is_encoding_name(std::string_view name) {
  const std::string key = key_of(name);
  return key == "auto" || is_utf8_key(key) || units_by_name({}, key) || table_of(key) != nullptr ||
         iconv_codec(std::string(name)) != nullptr;
}

FileEncoding encoding_of_file(std::string_view head, std::string_view asked) {
  const bool detects = asked.empty() || asked == "auto";
  if (detects) {
    if (auto marked = encoding_by_mark(head)) return *marked;
    if (asked.empty()) return utf8(head);
  }
  const std::string name = detects ? detect_encoding(head) : std::string(asked);
  const std::string key = key_of(name);
  if (is_utf8_key(key)) return utf8(head);
  if (auto units = units_by_name(head, key)) return *units;
  if (const EncodingTable* table = table_of(key)) {
    return {std::string(table->name), {}, std::make_shared<TableCodec>(*table)};
  }
  const std::string lower = ascii_lower(name);
  if (auto codec = iconv_codec(name)) {
    std::string mark;
    const bool has_mark = codec->encode(kByteOrderMark, mark) && head.starts_with(mark);
    return {lower, has_mark ? mark : std::string(), std::move(codec)};
  }
  throw Error(ErrorKind::unsupported, "encoding " + name + ": unknown to iconv on this machine");
}

bool Decoder::needs_more() const noexcept {
  if (asked_ == "auto") return bytes_.size() < kBytesToDetect;
  if (bytes_.size() >= 2 * kLongestMark) return false;
  return std::any_of(kUnitEncodings.begin(), kUnitEncodings.end(), [&](const UnitEncoding& each) {
    return each.mark.starts_with(bytes_) || bytes_.starts_with(each.mark);
  });
}

void Decoder::decode(bool is_last) {
  if (!encoding_) {
    encoding_ = encoding_of_file(std::string_view(bytes_).substr(0, kBytesToDetect), asked_);
    // Readers skip a byte order mark at the start of a text. It is kept for UTF-8, and if another
    // mark follows, which is text.
    const std::string& mark = encoding_->mark;
    const bool has_two = std::string_view(bytes_).substr(mark.size()).starts_with(mark);
    if (encoding_->codec && !has_two) bytes_.erase(0, mark.size());
  }
  if (!encoding_->codec) {
    if (!bytes_.empty()) sink_(bytes_);
    bytes_.clear();
    return;
  }
  text_.clear();
  bytes_.erase(0, encoding_->codec->decode(bytes_, is_last, text_));
  if (!text_.empty()) sink_(text_);
}

void Decoder::add(std::string_view bytes) {
  bytes_ += bytes;
  if (encoding_ || !needs_more()) decode(false);
}

void Decoder::finish() { decode(true); }

}  // namespace sosie
