#include "read/hex_bits.h"

#include <algorithm>

namespace sosie {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kDigitsAWord = 16;

std::optional<std::uint64_t> digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<std::uint64_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint64_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint64_t>(c - 'A' + 10);
  return std::nullopt;
}

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
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto value = digit_value(digits[i]);
    if (!value) {
      words.resize(before);
      return std::nullopt;
    }
    words[before + i / kDigitsAWord] |= *value << (4 * (i % kDigitsAWord));
  }
  return 4 * digits.size();
}

}  // namespace sosie
