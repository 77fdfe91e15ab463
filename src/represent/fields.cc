// Values of fields in the form used for comparison.
#include "represent/fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/ascii_lower.h"
#include "core/written_number.h"

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

// Currency signs before amounts: dollar, pound, yen, euro.
constexpr std::array<std::string_view, 4> kCurrencies = {"$", "\u00A3", "\u00A5", "\u20AC"};
constexpr std::size_t kMostGrouped = 32;  // bytes of a number with commas

// The number without the commas between groups of three digits, stored in `digits`; the number
// itself if commas occur elsewhere.
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

// Converts numbers with a decimal comma to English notation; spaces between thousands are treated
// like points. Returns the text itself if it is too long for a number.
std::string_view with_point(std::string_view number,
                            std::array<char, kMostGrouped>& changed) noexcept {
  if (number.size() > changed.size()) return number;
  std::transform(number.begin(), number.end(), changed.begin(), [](char c) {
    return c == ',' ? '.' : c == '.' || c == ' ' ? ',' : c;
  });
  return {changed.data(), number.size()};
}

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

// A number in its shortest form, so that 1.50 becomes 1.5 and -0 becomes 0; empty if the text is
// not a number.
std::string number_text_of(std::string_view text, char decimal) {
  const auto number = number_of(text, decimal);
  if (!number) return {};
  std::array<char, 32> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), *number == 0 ? 0 : *number);
  return error == std::errc{} ? std::string(digits.data(), end) : std::string(text);
}

// Removes a number with a permitted count of digits from the text; empty if there is none.
std::optional<int> digits_of(std::string_view& text, std::size_t least, std::size_t most) noexcept {
  std::size_t count = 0;
  int value = 0;
  while (count < std::min(most, text.size()) && is_digit(text[count])) {
    value = 10 * value + (text[count++] - '0');
  }
  if (count < least) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool is_letter(char c) noexcept { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }

// Removes the name of a month, or its first three letters, from the text.
std::optional<int> month_of(std::string_view& text) noexcept {
  constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  constexpr std::size_t kShort = 3;
  const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    const std::string_view name = kMonths[i].substr(0, word.size());
    const bool is_name = (word.size() == kShort || word.size() == kMonths[i].size()) &&
                         std::equal(word.begin(), word.end(), name.begin(), name.end(),
                                    [](char a, char b) { return ascii_lower(a) == b; });
    if (!is_name) continue;
    text.remove_prefix(word.size());
    return static_cast<int>(i + 1);
  }
  return std::nullopt;
}

struct Day {
  int year = 0;
  int month = 1;
  int day = 1;
};

// Removes the value of a format unit from the text. Returns false if the text does not begin with
// one.
bool take_unit(char unit, std::string_view& text, Day& day) noexcept {
  constexpr int kFirstOfLastCentury = 31;
  constexpr int kCentury = 100;
  const bool is_full_year = unit == 'Y';
  const auto number = unit == 'b'    ? month_of(text)
                      : is_full_year ? digits_of(text, 4, 4)
                                     : digits_of(text, unit == 'y' ? 2 : 1, 2);
  if (!number) return false;
  if (unit == 'y') {
    day.year = *number + (*number < kFirstOfLastCentury ? 20 : 19) * kCentury;
  } else {
    (is_full_year ? day.year : unit == 'd' ? day.day : day.month) = *number;
  }
  return true;
}

// True for an empty text and for a time of day.
bool is_time(std::string_view text) noexcept {
  if (text.empty()) return true;
  if (text.front() != 'T' && text.front() != ' ') return false;
  text.remove_prefix(1);
  return digits_of(text, 1, 2).has_value() && text.starts_with(':') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || is_letter(c) ||
                  std::string_view(":.+- ").find(c) != std::string_view::npos;
         });
}

std::optional<std::string> day_by(std::string_view rest, std::string_view format) {
  const auto is_between = [](char c) {
    return !is_digit(c) && !is_letter(c) && static_cast<unsigned char>(c) < 0x80;
  };
  Day day;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '%' && i + 1 < format.size()) {
      if (!take_unit(format[++i], rest, day)) return std::nullopt;
    } else if (format[i] == ' ') {
      if (rest.empty() || !is_between(rest.front())) return std::nullopt;
      const auto end = std::find_if_not(rest.begin(), rest.end(), is_between);
      rest.remove_prefix(static_cast<std::size_t>(end - rest.begin()));
    } else {
      if (rest.empty() || rest.front() != format[i]) return std::nullopt;
      rest.remove_prefix(1);
    }
  }
  const bool is_day = is_time(rest) && day.month >= 1 && day.month <= 12 && day.day >= 1 &&
                      day.day <= days_in(day.year, day.month);
  if (!is_day) return std::nullopt;
  std::string out = std::to_string(day.year * 10000 + day.month * 100 + day.day);
  return std::string(8 - std::min<std::size_t>(8, out.size()), '0') + out;
}

bool is_one_day_format(std::string_view format) noexcept {
  int years = 0;
  int months = 0;
  int days = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    const char unit = ++i < format.size() ? format[i] : '%';
    if (std::string_view("Yymbd").find(unit) == std::string_view::npos) return false;
    ++(unit == 'd' ? days : unit == 'm' || unit == 'b' ? months : years);
  }
  return years == 1 && months <= 1 && days <= 1;
}

}  // namespace

bool is_missing_value(std::string_view text) noexcept {
  const std::string_view value = without_blanks(text);
  if (value.empty()) return true;
  return std::any_of(kMissingWords.begin(), kMissingWords.end(), [&](std::string_view word) {
    return std::equal(value.begin(), value.end(), word.begin(), word.end(),
                      [](char a, char b) { return ascii_lower(a) == b; });
  });
}

std::optional<double> number_of(std::string_view text, char decimal) noexcept {
  std::string_view value = without_blanks(text);
  if (!value.empty() && value.front() == '+') value.remove_prefix(1);
  for (const std::string_view sign : kCurrencies) {
    if (!value.starts_with(sign)) continue;
    value = without_blanks(value.substr(sign.size()));
    break;
  }
  for (const std::string_view sign : kCurrencies) {
    if (!value.ends_with(sign)) continue;
    value = without_blanks(value.substr(0, value.size() - sign.size()));
    break;
  }
  std::array<char, kMostGrouped> changed{};
  if (decimal == ',') value = with_point(value, changed);
  std::array<char, kMostGrouped> digits{};
  value = without_commas(value, digits);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

bool is_day_format(std::string_view formats) noexcept {
  for (;;) {
    const std::string_view format = formats.substr(0, formats.find('|'));
    if (!is_one_day_format(format)) return false;
    if (format.size() == formats.size()) return true;
    formats.remove_prefix(format.size() + 1);
  }
}

std::optional<std::string> day_of(std::string_view text, std::string_view formats) {
  for (;;) {
    const std::string_view format = formats.substr(0, formats.find('|'));
    if (auto day = day_by(without_blanks(text), format)) return day;
    if (format.size() == formats.size()) return std::nullopt;
    formats.remove_prefix(format.size() + 1);
  }
}

FieldCleaner::FieldCleaner(FieldForm form)
    : form_(std::move(form)), reader_(form_of(form_.clean)) {}

std::string FieldCleaner::clean(std::string_view text) {
  if (is_missing_value(text)) return {};
  const std::string_view value = without_blanks(text);
  if (form_.type == FieldType::number) return number_text_of(value, form_.decimal);
  if (form_.type == FieldType::date) {
    if (!form_.date_format.empty()) return day_of(value, form_.date_format).value_or("");
    return day_of(value, "%Y%m%d|%Y-%m-%d").value_or("");
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
