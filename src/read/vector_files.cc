// Reads the numbers of vectors and the bits of bit strings from text.
#include "read/vector_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sosie {
namespace {

constexpr std::string_view kListBlanks = " \t\r\n";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kListBlanks), text.size()));
}

bool append_number(std::string_view& text, std::vector<double>& out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return false;
  out.push_back(value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// The separators that occur in a list.
struct Separators {
  bool blank = false;  // nothing but blanks
  bool comma = false;
  bool semicolon = false;

  void add(char separator) noexcept {
    (separator == ',' ? comma : separator == ';' ? semicolon : blank) = true;
  }
  [[nodiscard]] bool are_mixed() const noexcept {
    return (blank ? 1 : 0) + (comma ? 1 : 0) + (semicolon ? 1 : 0) > 1;
  }
};

bool append_list(std::string_view text, std::vector<double>& out, Separators& separators) {
  skip_blanks(text);
  if (text.starts_with('[')) {
    const std::size_t close = text.find_last_not_of(kListBlanks);
    if (text[close] != ']') return false;
    text = text.substr(1, close - 1);
    skip_blanks(text);
  }
  while (!text.empty()) {
    if (!append_number(text, out)) return false;
    const bool blank = !text.empty() && kListBlanks.find(text.front()) != std::string_view::npos;
    skip_blanks(text);
    if (text.empty()) return true;
    const bool mark = text.front() == ',' || text.front() == ';';
    if (!mark && !blank) return false;
    separators.add(mark ? text.front() : ' ');
    if (!mark) continue;
    text.remove_prefix(1);
    skip_blanks(text);
    if (text.empty()) return false;
  }
  return true;
}

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

bool append_numbers(std::string_view text, std::vector<double>& out) {
  Separators separators;
  return append_list(text, out, separators) && !separators.are_mixed();
}

bool mixes_separators(std::string_view text) {
  std::vector<double> numbers;
  Separators separators;
  return append_list(text, numbers, separators) && separators.are_mixed();
}

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
