#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sosie {

// A threshold, exactly as written: "0.8" and "4/5" are both 4/5. Decisions are made in integers,
// because (1 - 0.9) * 10 in doubles is 0.9999999999999998 (THEORY T-9.5). Invariant: den > 0,
// lowest terms, num and den below 2^31 (below 2^62 where noted).
struct Rational {
  std::uint64_t num = 0;
  std::uint64_t den = 1;

  [[nodiscard]] double value() const noexcept {
    return static_cast<double>(num) / static_cast<double>(den);
  }
  friend bool operator==(const Rational&, const Rational&) = default;
};

// Parses a decimal ("0.8", "1", "8e-1") or a fraction ("4/5") below 2^31. If its terms are larger,
// it is rounded up to the nearest quotient of integers below 2^31; any such quotient reaches either
// both numbers or neither. Returns nullopt if the text is not such a number or has more than 28
// digits, not counting leading and trailing zeros. Written as "num/den", the result is parsed back
// to itself.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text) noexcept;
// Like parse_rational(), but with terms below 2^62, for values that are not such quotients.
[[nodiscard]] std::optional<Rational> parse_fine_rational(std::string_view text) noexcept;

// True if part / whole >= t, decided in integers; 0/0 is 1. Exact for part and whole below 2^32.
[[nodiscard]] constexpr bool at_least(std::uint64_t part, std::uint64_t whole,
                                      const Rational& t) noexcept {
  return whole == 0 || part * t.den >= whole * t.num;
}

// A bound on values. Integers and quotients of integers are compared with its terms (a number with
// more digits is rounded to such terms); other values are compared with `number`.
struct Bound : Rational {
  double number = 0;     // the double nearest to the text
  bool is_whole = true;  // the terms are exact

  Bound() = default;
  Bound(const Rational& terms)  // NOLINT(google-explicit-constructor): each is a bound
      : Rational(terms), number(terms.value()) {}
  Bound(std::uint64_t num, std::uint64_t den) : Bound(Rational{num, den}) {}

  [[nodiscard]] const Rational& terms() const noexcept { return *this; }
  [[nodiscard]] double value() const noexcept { return number; }
  // True if both are the same double, so that a bound equals the one parsed back from its text.
  friend bool operator==(const Bound& a, const Bound& b) noexcept { return a.number == b.number; }
};

// The side on which values satisfy a bound: similarities not below it, or distances not above it.
enum class BoundSide : std::uint8_t { not_below, not_above };

// Parses the same texts as parse_rational(). A number with larger terms is rounded to the nearest
// terms on this side of it.
[[nodiscard]] std::optional<Bound> parse_bound(std::string_view text, BoundSide side) noexcept;

// True if a is less than b. Bounds with equal doubles are compared by their terms.
[[nodiscard]] bool is_less(const Bound& a, const Bound& b) noexcept;

// A number of either sign.
struct SignedRational {
  Bound size;
  bool negative = false;  // false for 0

  [[nodiscard]] double value() const noexcept { return negative ? -size.value() : size.value(); }
  friend bool operator==(const SignedRational&, const SignedRational&) = default;
};

// Parses a similarity as parse_bound() does, with an optional '-' in front.
[[nodiscard]] std::optional<SignedRational> parse_signed_rational(std::string_view text) noexcept;

}  // namespace sosie
