#include "core/rational.h"

#include <numeric>

namespace sosie {
namespace {

constexpr std::size_t kDecimalDigits = 9;    // on either side of the point
constexpr std::size_t kFractionDigits = 10;  // of 10^9, which nine digits behind a point come to
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 31;

// All-digit text of 1 to `most` digits.
std::optional<std::uint64_t> parse_digits(std::string_view text,
                                          std::size_t most = kDecimalDigits) noexcept {
  if (text.empty() || text.size() > most) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::optional<Rational> lowest_terms(std::uint64_t num, std::uint64_t den) noexcept {
  if (den == 0) return std::nullopt;
  const std::uint64_t shared = std::gcd(num, den);
  const Rational value{num / shared, den / shared};
  if (value.num >= kTooLarge || value.den >= kTooLarge) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) noexcept {
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto num = parse_digits(text.substr(0, slash), kFractionDigits);
    const auto den = parse_digits(text.substr(slash + 1), kFractionDigits);
    if (!num || !den) return std::nullopt;
    return lowest_terms(*num, *den);
  }
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) {
    const auto whole = parse_digits(text);
    return whole ? lowest_terms(*whole, 1) : std::nullopt;
  }
  const std::string_view head = text.substr(0, dot);
  std::string_view tail = text.substr(dot + 1);
  while (!tail.empty() && tail.back() == '0') tail.remove_suffix(1);
  if (head.empty() && text.size() == 1) return std::nullopt;
  const auto whole = head.empty() ? std::optional<std::uint64_t>{0} : parse_digits(head);
  const auto part = tail.empty() ? std::optional<std::uint64_t>{0} : parse_digits(tail);
  if (!whole || !part) return std::nullopt;
  std::uint64_t den = 1;
  for (std::size_t i = 0; i < tail.size(); ++i) den *= 10;
  return lowest_terms(*whole * den + *part, den);
}

}  // namespace sosie
