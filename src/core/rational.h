#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sosie {

// A threshold exactly as it was written: "0.8" and "4/5" are both 4/5. Decisions are made in
// integers, because in doubles (1 - 0.9) * 10 is .9999999999999998 (THEORY T-9.5).
// Invariant: den > 0, lowest terms, num and den below 2^31.
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

// True if part / whole >= t, decided in integers; 0/0 counts as 1. Exact for part, whole < 2^32.
[[nodiscard]] constexpr bool at_least(std::uint64_t part, std::uint64_t whole,
                                      const Rational& t) noexcept {
  return whole == 0 || part * t.den >= whole * t.num;
}

}  // namespace sosie
