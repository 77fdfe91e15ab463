#pragma once

#include <optional>
#include <string_view>

#include "core/bound.h"

namespace sosie {

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
