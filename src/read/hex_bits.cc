// Reads hexadecimal digits as bits.
#include "read/hex_bits.h"

#include <algorithm>
#include <array>

namespace sosie {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kDigitsAWord = 16;

// Values of the digits; more than 15 for every other byte.
constexpr std::uint8_t kNoDigit = 0x80;
constexpr auto kDigitValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < 16; ++i) {
    const auto value = static_cast<std::uint8_t>(i);
    values[static_cast<std::uint8_t>("0123456789abcdef"[i])] = value;
    values[static_cast<std::uint8_t>("0123456789ABCDEF"[i])] = value;
  }
  return values;
}();

std::string_view digits_of(std::string_view text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return text;
}

}  // namespace

std::optional<std::size_t> append_hex_bits(std::string_view text,
                                           std::vector<std::uint64_t>& words) {
  const std::string_view digits = digits_of(text);
  const std::size_t before = words.size();
  words.resize(before + (digits.size() + kDigitsAWord - 1) / kDigitsAWord);
  std::uint8_t seen = 0;  // has kNoDigit where some byte is none
  for (std::size_t begin = 0; begin < digits.size(); begin += kDigitsAWord) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(kDigitsAWord, digits.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t value = kDigitValues[static_cast<std::uint8_t>(digits[begin + i])];
      seen |= value;
      word |= std::uint64_t{value} << (4 * i);
    }
    words[before + begin / kDigitsAWord] = word;
  }
  if ((seen & kNoDigit) != 0) {
    words.resize(before);
    return std::nullopt;
  }
  return 4 * digits.size();
}

}  // namespace sosie
