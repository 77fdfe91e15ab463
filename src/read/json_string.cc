#include "read/json_string.h"

#include <cstdint>
#include <cstring>

namespace sosie {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Length of the well-formed UTF-8 sequence at the front, or else of the maximal ill-formed subpart
// (Unicode 15.0, table 3-7).
struct Utf8Step {
  std::size_t good;
  std::size_t bad;
};

Utf8Step utf8_step(std::string_view bytes) noexcept {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {1, 0};
  if (lead < 0xC2 || lead > 0xF4) return {0, 1};
  const std::size_t want = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < want; ++i) {
    if (i >= bytes.size() || at(i) < low || at(i) > high) return {0, i};
    low = 0x80;
    high = 0xBF;
  }
  return {want, 0};
}

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
  out.reserve(3 * row.size());
  char* to = out.data();
  while (!row.empty()) {
    const Utf8Step step = utf8_step(row);
    if (step.good > 0) {
      std::memcpy(to, row.data(), step.good);
      to += step.good;
      row.remove_prefix(step.good);
    } else {
      std::memcpy(to, kReplacement.data(), kReplacement.size());
      to += kReplacement.size();
      row.remove_prefix(step.bad);
    }
  }
  out.set_size(static_cast<std::size_t>(to - out.data()));
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
