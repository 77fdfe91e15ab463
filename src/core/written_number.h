#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sosie {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// The number that the whole text is ("-12", "9.50", "1e-3", "inf", not "nan"), as near as a long
// double is to it. Nothing for other text, and for a number out of range.
[[nodiscard]] std::optional<long double> written_number(std::string_view text);

// True for "Infinity" and "-Infinity", as numbers of Arrow that JSON does not have are written.
[[nodiscard]] bool is_written_infinity(std::string_view text) noexcept;

// True if the nearest long double tells a number from all others of so few digits; other numbers
// are compared by their digits.
[[nodiscard]] bool has_few_digits(std::string_view number) noexcept;

// Digits of a number that has few, such as "1.25e+01".
[[nodiscard]] std::string written(long double number);

// Negative, 0 or positive as `left` is less than, equal to or greater than `right`, exactly. Both
// are numbers as written_number() takes them, not infinite.
[[nodiscard]] int compare_written(std::string_view left, std::string_view right);

}  // namespace sosie
