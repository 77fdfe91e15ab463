#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sosie {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// The number that the whole text represents ("-12", "9.50", "1e-3", "inf", but not "nan"), to the
// precision of long double. Returns nullopt for any other text and for numbers out of range.
[[nodiscard]] std::optional<long double> written_number(std::string_view text);

// True for "Infinity" and "-Infinity", the JSON form of infinite numbers from Arrow.
[[nodiscard]] bool is_written_infinity(std::string_view text) noexcept;

// True if the number has so few digits that its nearest long double is unique to it; other numbers
// are compared digit by digit.
[[nodiscard]] bool has_few_digits(std::string_view number) noexcept;

// The digits of a number that has few digits, such as "1.25e+01".
[[nodiscard]] std::string written(long double number);

// Exact comparison: negative, 0 or positive if `left` is less than, equal to or greater than
// `right`. Both must be finite numbers that written_number() accepts.
[[nodiscard]] int compare_written(std::string_view left, std::string_view right);

}  // namespace sosie
