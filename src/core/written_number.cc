// Numbers as written, by their digits.
#include "core/written_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace sosie {
namespace {

constexpr int kFewDigits = std::numeric_limits<long double>::digits10;

// "inf" or "infinity" in any case.
bool is_infinity(std::string_view text) {
  constexpr std::string_view kLong = "infinity";
  if (text.size() != 3 && text.size() != kLong.size()) return false;
  return std::equal(text.begin(), text.end(), kLong.begin(),
                    [](char c, char lower) { return (c | 0x20) == lower; });
}

// A number as 0.DIGITS times ten to the power of `exponent`; without digits, it is zero.
struct DecimalText {
  bool is_negative = false;
  std::string digits;  // without zeros at either end
  std::int64_t exponent = 0;
};

std::int64_t exponent_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  if (error == std::errc::result_out_of_range) return text.starts_with('-') ? -kFar : kFar;
  return std::clamp(exponent, -kFar, kFar);
}

DecimalText decimal_of(std::string_view text) {
  DecimalText decimal;
  decimal.is_negative = text.starts_with('-');
  if (decimal.is_negative) text.remove_prefix(1);
  const std::size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) decimal.exponent = exponent_in(text.substr(mark + 1));
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  decimal.exponent += static_cast<std::int64_t>(point);
  for (const char c : mantissa) {
    if (is_digit(c)) decimal.digits += c;
  }
  const std::size_t zeros = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
  decimal.exponent -= static_cast<std::int64_t>(zeros);
  decimal.digits.erase(0, zeros);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  return decimal;
}

// Compares two non-negative numbers.
int compare_sizes(const DecimalText& left, const DecimalText& right) {
  if (left.digits.empty() || right.digits.empty()) {
    return static_cast<int>(!left.digits.empty()) - static_cast<int>(!right.digits.empty());
  }
  if (left.exponent != right.exponent) return left.exponent < right.exponent ? -1 : 1;
  return left.digits.compare(right.digits);
}

}  // namespace

// Never passes std::from_chars() a text that begins with "inf" or "nan": libstdc++ 12 searches for
// the end of such a text at the next NUL, wherever that is.
std::optional<long double> written_number(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;  // a number of so many is exact
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty()) return std::nullopt;
  std::uint64_t whole = 0;
  std::size_t at = 0;
  while (at < digits.size() && is_digit(digits[at])) {
    whole = 10 * whole + static_cast<std::uint64_t>(digits[at++] - '0');
  }
  if (at == digits.size() && at <= kMostDigits && whole != 0) {
    const auto number = static_cast<long double>(whole);
    return text.size() == digits.size() ? number : -number;
  }
  // Dates and addresses also begin like a number.
  if (at > 0 && at < digits.size() && digits[at] != '.' && (digits[at] | 0x20) != 'e') {
    return std::nullopt;
  }
  if (is_infinity(digits)) {
    const auto infinity = std::numeric_limits<long double>::infinity();
    return text.size() == digits.size() ? infinity : -infinity;
  }
  const char first = digits.front();
  if (first != '.' && (first < '0' || first > '9')) return std::nullopt;
  long double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_written_infinity(std::string_view text) noexcept {
  return text == "Infinity" || text == "-Infinity";
}

bool has_few_digits(std::string_view number) noexcept {
  return number.size() <= static_cast<std::size_t>(kFewDigits) ||
         decimal_of(number).digits.size() <= static_cast<std::size_t>(kFewDigits);
}

std::string written(long double number) { return fmt::format("{:.{}e}", number, kFewDigits - 1); }

int compare_written(std::string_view left, std::string_view right) {
  const DecimalText a = decimal_of(left);
  const DecimalText b = decimal_of(right);
  const bool a_is_below = a.is_negative && !a.digits.empty();
  const bool b_is_below = b.is_negative && !b.digits.empty();
  if (a_is_below != b_is_below) return a_is_below ? -1 : 1;
  return a_is_below ? compare_sizes(b, a) : compare_sizes(a, b);
}

}  // namespace sosie
