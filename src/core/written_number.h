#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sosie {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// The number represented by the whole text ("-12", "9.50", "1e-3", "inf", not "nan"), to the
// precision of long double. Returns nullopt for other texts and numbers out of range.
[[nodiscard]] std::optional<long double> written_number(std::string_view text);

// True for "Infinity" and "-Infinity", the JSON form of infinite numbers from Arrow.
[[nodiscard]] bool is_written_infinity(std::string_view text) noexcept;

// True if the number has few enough digits for the nearest long double to be unique; other numbers
// are compared by their digits.
[[nodiscard]] bool has_few_digits(std::string_view number) noexcept;

// Digits of a number with few digits, such as "1.25e+01".
[[nodiscard]] std::string written(long double number);

// Compares exactly: negative, 0 or positive if `left` is less than, equal to or greater than
// `right`. Both are finite numbers accepted by written_number().
[[nodiscard]] int compare_written(std::string_view left, std::string_view right);

}  // namespace sosie
