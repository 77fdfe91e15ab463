// Makes rows that JSON parsers reject for their bytes readable, and restores them without loss.
#include "read/repair_json.h"

#include <bitset>
#include <cstdint>

#include "core/append_readable.h"
#include "core/utf8.h"

namespace sosie {
namespace {

// The UTF-16 code unit of the escape "\uXXXX" at the front; -1 if there is no such escape.
int unit_at(std::string_view text) noexcept {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int unit = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const char c = static_cast<char>(text[i] | 0x20);
    if (text[i] >= '0' && text[i] <= '9') {
      unit = unit * 16 + (text[i] - '0');
    } else if (c >= 'a' && c <= 'f') {
      unit = unit * 16 + (c - 'a' + 10);
    } else {
      return -1;
    }
  }
  return unit;
}

bool is_high_surrogate(int unit) noexcept { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(int unit) noexcept { return unit >= 0xDC00 && unit < 0xE000; }

// Marks the blocks of 256 private-use characters that occur in a row.
class PrivateBlocks {
 public:
  void add(char32_t c) noexcept {
    if (c >= kFirst) used_.set((c - kFirst) / kBlock);
  }
  // A block of which no character occurs; 0 if there is none.
  [[nodiscard]] char32_t free_block() const noexcept {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!used_.test(i)) return kFirst + static_cast<char32_t>(i) * kBlock;
    }
    return 0;
  }

 private:
  static constexpr char32_t kFirst = 0xF0000;
  static constexpr char32_t kBlock = 256;
  std::bitset<512> used_;
};

char32_t code_point_of(int high, int low) noexcept {
  return 0x10000 + (static_cast<char32_t>(high - 0xD800) << 10) +
         static_cast<char32_t>(low - 0xDC00);
}

// Calls each(piece, unit) for every part of the row up to the escape of a lone surrogate, with that
// surrogate (-1 at the end), and pair(code point) for the escapes of a complete pair.
template <class Each, class Pair>
void for_each_lone_surrogate(std::string_view row, const Each& each, const Pair& pair) {
  std::size_t begin = 0;
  std::size_t at = row.find('\\');
  while (at < row.size()) {
    const int unit = unit_at(row.substr(at));
    const int next = is_high_surrogate(unit) ? unit_at(row.substr(at + 6)) : -1;
    std::size_t used = unit < 0 ? 2 : 6;
    if (is_low_surrogate(next)) {
      pair(code_point_of(unit, next));
      used = 12;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      each(row.substr(begin, at - begin), unit);
      begin = at + used;
    }
    at = at + used < row.size() ? row.find('\\', at + used) : std::string_view::npos;
  }
  each(row.substr(begin), -1);
}

// Calls each(code point) for every code point of the text; ill-formed bytes are passed in escaped
// form.
template <class Each>
void for_each_code_point(std::string_view text, const Each& each) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const unsigned char* end = at + text.size(); at < end;) {
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    each(decoded.code_point);
    at += decoded.size;
  }
}

PrivateBlocks private_blocks(std::string_view row) {
  PrivateBlocks blocks;
  for_each_lone_surrogate(
      row,
      [&](std::string_view piece, int /*unit*/) {
        for_each_code_point(piece, [&](char32_t c) { blocks.add(c); });
      },
      [&](char32_t c) { blocks.add(c); });
  return blocks;
}

}  // namespace

char32_t repair_json(std::string_view row, PaddedBytes& out) {
  const char32_t stand_ins = private_blocks(row).free_block();
  if (stand_ins == 0) return 0;
  out.reserve(4 * row.size());  // one stray byte becomes four
  auto* to = reinterpret_cast<unsigned char*>(out.data());
  std::size_t size = 0;
  const auto put = [&](char32_t c) {
    const char32_t byte = c - kByteEscapes;
    size += encode_code_point(is_escaped_byte(c) ? stand_ins + byte : c, to + size);
  };
  for_each_lone_surrogate(
      row,
      [&](std::string_view piece, int unit) {
        for_each_code_point(piece, put);
        if (unit < 0) return;
        unsigned char bytes[4];
        encode_code_point(static_cast<char32_t>(unit), bytes);
        for (int i = 0; i < 3; ++i) put(kByteEscapes + bytes[i]);
      },
      [](char32_t) {});
  out.set_size(size);
  return stand_ins;
}

void restore_bytes(std::string_view text, char32_t stand_ins, std::string& out) {
  out.clear();
  for_each_code_point(text, [&](char32_t c) {
    if (c - stand_ins < 256) {
      out += static_cast<char>(c - stand_ins);
      return;
    }
    unsigned char bytes[4];
    const std::size_t size = encode_code_point(c, bytes);
    out.append(bytes, bytes + size);
  });
}

void restore_readable(std::string_view text, char32_t stand_ins, std::string& out) {
  std::string restored;
  restore_bytes(text, stand_ins, restored);
  out.clear();
  append_readable(restored, out);
}

}  // namespace sosie
