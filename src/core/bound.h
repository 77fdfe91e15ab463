#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/rational.h"

namespace sosie {

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

}  // namespace sosie
