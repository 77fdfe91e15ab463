// Tells the encoding of a text from its first bytes, by libuchardet and by what that does not know.
#include "io/detect_encoding.h"

#include <uchardet/uchardet.h>

#include <array>
#include <memory>

#include "core/utf8.h"
#include "io/western_encodings.h"

namespace sosie {
namespace {

// True if `head` is UTF-8 but for a last character that is cut off.
bool is_utf8(std::string_view head) {
  const std::size_t at = find_ill_formed_utf8(head);
  return at == std::string_view::npos || (head.size() >= 64 && at + 3 >= head.size());
}

bool is_in_text(unsigned char high, unsigned char low) noexcept {
  if (high == 0) return low >= 0xA0 || (low >= ' ' && low < 0x7F) || (low >= '\t' && low <= '\r');
  const bool is_alphabet =
      high <= 0x0E || (high >= 0x10 && high <= 0x12) || high == 0x1E || high == 0x1F;
  const bool is_sign = (high >= 0x20 && high <= 0x26) || high == 0x30 || high == 0xFF;
  const bool is_han_or_hangul = (high >= 0x31 && high <= 0x9F) || (high >= 0xAC && high <= 0xDF);
  return is_alphabet || is_sign || is_han_or_hangul;
}

// UTF-16 without a mark. Blanks, line ends and digits have upper halves of zero in every script,
// and no 8-bit text has zeros in every other place alone. Some letters have lower halves of zero,
// such as U+4E00 and U+AC00: the units must be of text, too. Zeros at odd places are the upper
// halves of little-endian units.
std::string zeros_every_other(std::string_view head) {
  constexpr std::size_t kLeastZeros = 2;
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  const std::size_t upper = zeros[1] > zeros[0] ? 1 : 0;
  const std::size_t units = head.size() / 2;
  if (zeros[upper] < kLeastZeros || zeros[1 - upper] * 3 > zeros[upper]) return {};
  if (zeros[upper] * 100 < units) return {};
  std::size_t in_text = 0;
  std::size_t controls = 0;  // bytes that 8-bit text has not
  for (std::size_t i = 0; i + 1 < head.size(); i += 2) {
    const auto high = static_cast<unsigned char>(head[i + upper]);
    const auto low = static_cast<unsigned char>(head[i + 1 - upper]);
    in_text += is_in_text(high, low) ? 1 : 0;
    controls += high < '\t' ? 1 : 0;
  }
  const bool may_be_bytes = is_utf8(head) && controls * 4 < units;
  if (in_text * 20 < units * 19 || may_be_bytes) return {};
  return upper == 1 ? "utf-16le" : "utf-16be";
}

}  // namespace

std::string detect_encoding(std::string_view head) {
  std::string units = zeros_every_other(head);
  if (!units.empty()) return units;
  if (is_utf8(head)) return "utf-8";
  const std::unique_ptr<uchardet, decltype(&uchardet_delete)> detector(uchardet_new(),
                                                                       uchardet_delete);
  if (uchardet_handle_data(detector.get(), head.data(), head.size()) != 0) return "utf-8";
  uchardet_data_end(detector.get());
  const std::string found = western_encoding(head, uchardet_get_charset(detector.get()));
  return found.empty() ? "utf-8" : found;
}

}  // namespace sosie
