#include "read/json_string.h"

#include <cstdint>
#include <cstring>

#include "core/utf8.h"

namespace sosie {
namespace {

// The UTF-16 code unit that "\uXXXX" at the front stands for; -1 when it is not such an escape.
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

}  // namespace

void repair_utf8(std::string_view row, PaddedBytes& out) {
  out.reserve(3 * row.size());  // one stray byte becomes the three of U+FFFD
  auto* to = reinterpret_cast<unsigned char*>(out.data());
  const auto* at = reinterpret_cast<const unsigned char*>(row.data());
  const unsigned char* end = at + row.size();
  std::size_t size = 0;
  while (at < end) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    size += encode_code_point(decoded.code_point, to + size);
    at += decoded.size;
  }
  out.set_size(size);
}

void repair_surrogates(PaddedBytes& json) {
  const std::string_view text = json.view();
  std::size_t at = text.find('\\');
  while (at < text.size()) {
    const int unit = unit_at(text.substr(at));
    std::size_t used = unit < 0 ? 2 : 6;
    if (is_high_surrogate(unit) && is_low_surrogate(unit_at(text.substr(at + 6)))) {
      used = 12;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      std::memcpy(json.data() + at, "\\ufffd", 6);
    }
    at = at + used < text.size() ? text.find('\\', at + used) : std::string_view::npos;
  }
}

}  // namespace sosie
