// Values of fields in the form in which they are compared.
#include "represent/fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/digits.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 6> kMissingWords = {"na",   "n/a",     "null",
                                                           "none", "unknown", "-"};
constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view without_blanks(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Signs in front of amounts: dollar, pound, yen, euro.
constexpr std::array<std::string_view, 4> kCurrencies = {"$", "\u00A3", "\u00A5", "\u20AC"};
constexpr std::size_t kMostGrouped = 32;  // bytes of a number with commas

// The number without the commas between groups of three digits, in `digits`; the number itself
// where commas stand elsewhere.
std::string_view without_commas(std::string_view number,
                                std::array<char, kMostGrouped>& digits) noexcept {
  constexpr std::size_t kGroup = 3;
  const std::string_view whole = number.substr(0, number.find_first_of(".eE"));
  std::size_t comma = whole.find(',');
  if (comma == std::string_view::npos || number.size() > digits.size()) return number;
  const std::size_t sign = whole.starts_with('-') ? 1 : 0;
  if (comma == sign || comma > sign + kGroup) return number;
  for (std::size_t next = comma; next != std::string_view::npos; comma = next) {
    next = whole.find(',', comma + 1);
    if (std::min(next, whole.size()) != comma + 1 + kGroup) return number;
  }
  const auto end =
      std::copy_if(number.begin(), number.end(), digits.begin(), [](char c) { return c != ','; });
  return {digits.data(), static_cast<std::size_t>(end - digits.begin())};
}

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

StringForm form_of(FieldClean clean) noexcept {
  if (clean == FieldClean::alnum) return StringForm::letters;
  if (clean == FieldClean::words) return StringForm::words;
  return clean == FieldClean::none ? StringForm::as_is : StringForm::folded;
}

int days_in(int year, int month) noexcept {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

// A number as short as it can be written, so that 1.50 is 1.5 and -0 is 0; empty for what is none.
std::string number_text_of(std::string_view text) {
  const auto number = number_of(text);
  if (!number) return {};
  std::array<char, 32> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), *number == 0 ? 0 : *number);
  return error == std::errc{} ? std::string(digits.data(), end) : std::string(text);
}

// Reads up to `most` digits as a number; nothing when there is none.
std::optional<int> digits_of(std::string_view& text, std::size_t most) noexcept {
  std::size_t count = 0;
  int value = 0;
  while (count < std::min(most, text.size()) && is_digit(text[count])) {
    value = 10 * value + (text[count++] - '0');
  }
  if (count == 0) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

}  // namespace

bool is_missing_value(std::string_view text) noexcept {
  const std::string_view value = without_blanks(text);
  if (value.empty()) return true;
  return std::any_of(kMissingWords.begin(), kMissingWords.end(), [&](std::string_view word) {
    return std::equal(value.begin(), value.end(), word.begin(), word.end(),
                      [](char a, char b) { return lower(a) == b; });
  });
}

std::optional<double> number_of(std::string_view text) noexcept {
  std::string_view value = without_blanks(text);
  if (!value.empty() && value.front() == '+') value.remove_prefix(1);
  for (const std::string_view sign : kCurrencies) {
    if (!value.starts_with(sign)) continue;
    value = without_blanks(value.substr(sign.size()));
    break;
  }
  std::array<char, kMostGrouped> digits{};
  value = without_commas(value, digits);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

bool is_day_format(std::string_view format) noexcept {
  int years = 0;
  int months = 0;
  int days = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    const char unit = ++i < format.size() ? format[i] : '%';
    if (unit != 'Y' && unit != 'm' && unit != 'd') return false;
    ++(unit == 'Y' ? years : unit == 'm' ? months : days);
  }
  return years == 1 && months <= 1 && days <= 1;
}

std::optional<std::string> day_of(std::string_view text, std::string_view format) {
  std::string_view rest = without_blanks(text);
  int year = 0;
  int month = 1;
  int day = 1;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      if (rest.empty() || rest.front() != format[i]) return std::nullopt;
      rest.remove_prefix(1);
      continue;
    }
    const char unit = format[++i];
    const auto number = digits_of(rest, unit == 'Y' ? 4 : 2);
    if (!number) return std::nullopt;
    (unit == 'Y' ? year : unit == 'm' ? month : day) = *number;
  }
  const bool is_day =
      rest.empty() && month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month);
  if (!is_day) return std::nullopt;
  std::string out = std::to_string(year * 10000 + month * 100 + day);
  return std::string(8 - std::min<std::size_t>(8, out.size()), '0') + out;
}

FieldCleaner::FieldCleaner(FieldForm form)
    : form_(std::move(form)), reader_(form_of(form_.clean)) {}

std::string FieldCleaner::clean(std::string_view text) {
  if (is_missing_value(text)) return {};
  const std::string_view value = without_blanks(text);
  if (form_.type == FieldType::number) return number_text_of(value);
  if (form_.type == FieldType::date) {
    if (!form_.date_format.empty()) return day_of(value, form_.date_format).value_or("");
    const auto day = day_of(value, "%Y%m%d");
    return day ? *day : day_of(value, "%Y-%m-%d").value_or("");
  }
  if (form_.clean == FieldClean::digits) {
    std::string digits;
    std::copy_if(value.begin(), value.end(), std::back_inserter(digits), is_digit);
    return digits;
  }
  padded_.assign(value);
  reader_.read(padded_.view());
  return text_of(reader_.code_points());
}

}  // namespace sosie
