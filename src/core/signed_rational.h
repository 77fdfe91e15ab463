#pragma once

#include <optional>
#include <string_view>

#include "core/rational.h"

namespace sosie {

// Reads bounds of distances as parse_rational() does: a number that is no quotient of two integers
// below 2^31 becomes the greatest one that is no greater.
[[nodiscard]] std::optional<Rational> parse_upper_bound(std::string_view text) noexcept;

// A number of either sign.
struct SignedRational {
  Rational size;
  bool negative = false;  // not of 0

  [[nodiscard]] double value() const noexcept { return negative ? -size.value() : size.value(); }
  friend bool operator==(const SignedRational&, const SignedRational&) = default;
};

// Reads what parse_rational() does, with a '-' in front or not.
[[nodiscard]] std::optional<SignedRational> parse_signed_rational(std::string_view text) noexcept;

}  // namespace sosie
