#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sosie {

// A threshold exactly as it was written: "0.8" and "4/5" are both 4/5. Decisions are made in
// integers, because in doubles (1 - 0.9) * 10 is .9999999999999998 (THEORY T-9.5).
// Invariant: den > 0, lowest terms, num and den below 2^31; where that is said, below 2^62.
struct Rational {
  std::uint64_t num = 0;
  std::uint64_t den = 1;

  [[nodiscard]] double value() const noexcept {
    return static_cast<double>(num) / static_cast<double>(den);
  }
  friend bool operator==(const Rational&, const Rational&) = default;
};

// Reads a decimal ("0.8", "1", "8e-1") or a fraction ("4/5") below 2^31. A number with larger terms
// becomes the least quotient of integers below 2^31 that is no smaller: quotients of such integers
// reach both or neither. Nothing when the text is no such number or has more than 28 digits besides
// zeros at its ends. "num/den" of a result is read as the same.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text) noexcept;
// Likewise with terms below 2^62, for values that are no quotients of integers below 2^31.
[[nodiscard]] std::optional<Rational> parse_fine_rational(std::string_view text) noexcept;

// True if part / whole >= t, decided in integers; 0/0 counts as 1. Exact for part, whole < 2^32.
[[nodiscard]] constexpr bool at_least(std::uint64_t part, std::uint64_t whole,
                                      const Rational& t) noexcept {
  return whole == 0 || part * t.den >= whole * t.num;
}

// A bound of values. Integers and quotients of integers are decided by its terms, which a number
// with more digits is rounded to; other values by `number`.
struct Bound : Rational {
  double number = 0;     // the double nearest to what was written
  bool is_whole = true;  // the terms are what was written

  Bound() = default;
  Bound(const Rational& terms)  // NOLINT(google-explicit-constructor): each is a bound
      : Rational(terms), number(terms.value()) {}
  Bound(std::uint64_t num, std::uint64_t den) : Bound(Rational{num, den}) {}

  [[nodiscard]] const Rational& terms() const noexcept { return *this; }
  [[nodiscard]] double value() const noexcept { return number; }
  // True if both are one double, so that a bound is equal to its text that is read again.
  friend bool operator==(const Bound& a, const Bound& b) noexcept { return a.number == b.number; }
};

// The values that reach a bound: similarities not below it, or distances not above it.
enum class BoundSide : std::uint8_t { not_below, not_above };

// Reads what parse_rational() does. The terms of a number with larger ones become the nearest on
// this side of it.
[[nodiscard]] std::optional<Bound> parse_bound(std::string_view text, BoundSide side) noexcept;

// True if a is less; of bounds that are one double, by their terms.
[[nodiscard]] bool is_less(const Bound& a, const Bound& b) noexcept;

// A number of either sign.
struct SignedRational {
  Bound size;
  bool negative = false;  // not of 0

  [[nodiscard]] double value() const noexcept { return negative ? -size.value() : size.value(); }
  friend bool operator==(const SignedRational&, const SignedRational&) = default;
};

// Reads what parse_bound() does of similarities, with a '-' in front or not.
[[nodiscard]] std::optional<SignedRational> parse_signed_rational(std::string_view text) noexcept;

}  // namespace sosie
