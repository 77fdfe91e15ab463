// Reads thresholds as exact fractions of two small integers where possible.
#include "core/rational.h"

#include <algorithm>
#include <charconv>

namespace sosie {
namespace {

__extension__ using Wide = unsigned __int128;

// A number with this many digits before 10^-39, which 128 bits cannot hold, is below every positive
// Rational.
constexpr int kMostDigits = 28;
constexpr std::uint64_t kMostTerm = (std::uint64_t{1} << 31) - 1;
constexpr std::uint64_t kMostFineTerm = (std::uint64_t{1} << 62) - 1;

// mantissa * 10^exponent.
struct Decimal {
  Wide mantissa = 0;
  int exponent = 0;
};

// First removes trailing zeros, which are insignificant.
std::optional<Decimal> parse_digits(std::string_view whole, std::string_view part) noexcept {
  if (whole.empty() && part.empty()) return std::nullopt;
  while (!part.empty() && part.back() == '0') part.remove_suffix(1);
  Decimal decimal{0, -static_cast<int>(std::min<std::size_t>(part.size(), 1 << 20))};
  int digits = 0;
  for (const std::string_view some : {whole, part}) {
    for (const char c : some) {
      if (c < '0' || c > '9') return std::nullopt;
      if (digits > 0 || c != '0') ++digits;
      if (digits > kMostDigits) return std::nullopt;
      decimal.mantissa = decimal.mantissa * 10 + static_cast<unsigned>(c - '0');
    }
  }
  return decimal;
}

// The digits after 'e' or 'E', with an optional sign.
std::optional<int> parse_exponent(std::string_view text) noexcept {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  constexpr int kMost = 1000;  // no number of so many zeros is between those that can be read
  return std::clamp(value, -kMost, kMost);
}

struct Fraction {
  Wide num;
  Wide den;
};

// Empty for numbers that are too large; numbers below every positive Rational are treated alike.
std::optional<Fraction> as_fraction(Decimal decimal) noexcept {
  constexpr Wide kMost = ~Wide{0} / 20;
  Fraction fraction{decimal.mantissa, 1};
  if (fraction.num == 0) return fraction;
  for (; decimal.exponent > 0; --decimal.exponent) {
    if (fraction.num > kMost) return std::nullopt;
    fraction.num *= 10;
  }
  for (; decimal.exponent < 0; ++decimal.exponent) {
    if (fraction.den > kMost) return Fraction{1, kMost};
    fraction.den *= 10;
  }
  return fraction;
}

std::optional<Fraction> parse_decimal(std::string_view text) noexcept {
  int exponent = 0;
  if (const auto at = text.find_first_of("eE"); at != std::string_view::npos) {
    const auto written = parse_exponent(text.substr(at + 1));
    if (!written) return std::nullopt;
    exponent = *written;
    text = text.substr(0, at);
  }
  const auto dot = std::min(text.find('.'), text.size());
  auto decimal = parse_digits(text.substr(0, dot), text.substr(std::min(dot + 1, text.size())));
  if (!decimal) return std::nullopt;
  decimal->exponent += exponent;
  return as_fraction(*decimal);
}

std::optional<Fraction> parse_quotient(std::string_view num, std::string_view den) noexcept {
  const auto above = parse_digits(num, {});
  const auto below = parse_digits(den, {});
  if (!above || !below || below->mantissa == 0) return std::nullopt;
  return Fraction{above->mantissa, below->mantissa};
}

// A fraction on one side of a number, and its distance |num q - den p| from it.
struct Neighbour {
  std::uint64_t num;
  std::uint64_t den;
  Wide gap;
};

// Number of times that `other` can be added to `bound` without passing the number or exceeding a
// term of `most`.
std::uint64_t most_steps(const Neighbour& bound, const Neighbour& other,
                         std::uint64_t most) noexcept {
  Wide steps = bound.gap / other.gap;
  if (other.num > 0) steps = std::min<Wide>(steps, (most - bound.num) / other.num);
  if (other.den > 0) steps = std::min<Wide>(steps, (most - bound.den) / other.den);
  return static_cast<std::uint64_t>(steps);
}

void add(Neighbour& bound, const Neighbour& other, std::uint64_t steps) noexcept {
  bound.num += steps * other.num;
  bound.den += steps * other.den;
  bound.gap -= steps * other.gap;
}

// Descends the Stern-Brocot tree, in strides, to the neighbours of the number whose terms fit.
std::optional<Rational> nearest(const Fraction& number, BoundSide side,
                                std::uint64_t most = kMostTerm) noexcept {
  Neighbour low{0, 1, number.num};
  Neighbour high{1, 0, number.den};
  while (low.gap > 0 && high.gap > 0) {
    const std::uint64_t up = most_steps(low, high, most);
    add(low, high, up);
    if (low.gap == 0) break;
    const std::uint64_t down = most_steps(high, low, most);
    add(high, low, down);
    if (up == 0 && down == 0) break;
  }
  const bool takes_low = low.gap == 0 || (high.gap > 0 && side == BoundSide::not_above);
  const Neighbour& taken = takes_low ? low : high;
  if (high.den == 0 && low.gap > 0) return std::nullopt;  // beyond the greatest
  return Rational{taken.num, taken.den};
}

std::optional<Fraction> parse_number(std::string_view text) noexcept {
  const auto slash = text.find('/');
  return slash == std::string_view::npos
             ? parse_decimal(text)
             : parse_quotient(text.substr(0, slash), text.substr(slash + 1));
}

// The double nearest to a valid decimal, or one of the nearest to a quotient of terms beyond
// 2^53.
double nearest_double(std::string_view text) noexcept {
  const auto slash = text.find('/');
  double number = 0;  // stays so below the doubles
  if (slash == std::string_view::npos) {
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }
  const Fraction fraction = *parse_number(text);
  return static_cast<double>(fraction.num) / static_cast<double>(fraction.den);
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) noexcept {
  const auto number = parse_number(text);
  return number ? nearest(*number, BoundSide::not_below) : std::nullopt;
}

std::optional<Rational> parse_fine_rational(std::string_view text) noexcept {
  const auto number = parse_number(text);
  return number ? nearest(*number, BoundSide::not_below, kMostFineTerm) : std::nullopt;
}

std::optional<Bound> parse_bound(std::string_view text, BoundSide side) noexcept {
  const auto number = parse_number(text);
  const auto terms = number ? nearest(*number, side) : std::nullopt;
  if (!terms) return std::nullopt;
  Bound bound(*terms);
  const BoundSide other =
      side == BoundSide::not_below ? BoundSide::not_above : BoundSide::not_below;
  bound.is_whole = nearest(*number, other) == terms;
  if (!bound.is_whole) bound.number = nearest_double(text);
  return bound;
}

bool is_less(const Bound& a, const Bound& b) noexcept {
  return a.number == b.number ? a.num * b.den < b.num * a.den : a.number < b.number;
}

std::optional<SignedRational> parse_signed_rational(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  const auto size = negative ? parse_bound(text.substr(1), BoundSide::not_above)
                             : parse_bound(text, BoundSide::not_below);
  if (!size) return std::nullopt;
  return SignedRational{*size, negative && size->value() > 0};
}

}  // namespace sosie
