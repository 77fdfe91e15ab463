// Reads pairs files, whose values are similarities or distances.
#include "decide/pair_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;

// To the nearest whole number.
double millionths(double value) noexcept { return std::floor(value * kMillion + 0.5); }

// A number from 0 up to `most`; nothing when it is none.
std::optional<double> parse_value(std::string_view text, double most) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number) || !(number >= 0 && number <= most)) return std::nullopt;
  return number;
}

// The least and the greatest number of millionths that a value at the bound may be written as: half
// a millionth is rounded either way. In integers, which the terms of a bound leave room for.
double least_written(const Rational& bound) noexcept {
  const std::uint64_t doubled = 2 * bound.num * kMillion;
  if (doubled <= bound.den) return 0;
  const std::uint64_t whole = (doubled - bound.den - 1) / (2 * bound.den);
  return static_cast<double>(whole + 1);
}
double most_written(const Rational& bound) noexcept {
  const std::uint64_t whole = (2 * bound.num * kMillion + bound.den) / (2 * bound.den);
  return static_cast<double>(whole);
}

constexpr std::size_t kDecimals = 6;

constexpr std::size_t kMostDecimals = 20;  // more of them change no double

// Decimals that a number is written with, at most kMostDecimals: three of 0.125 and of 12.5e-2.
std::size_t decimals_of(std::string_view text) noexcept {
  const std::size_t power = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), power);
  std::int64_t decimals = static_cast<std::int64_t>(power - std::min(point + 1, power));
  int exponent = 0;
  if (power < text.size()) {
    const char* digits = text.data() + power + 1;
    if (*digits == '+') ++digits;
    const auto [end, error] = std::from_chars(digits, text.data() + text.size(), exponent);
    if (error != std::errc{}) exponent = text[power + 1] == '-' ? -1000 : 1000;  // out of range
  }
  decimals = std::clamp<std::int64_t>(decimals - exponent, 0, kMostDecimals);
  return static_cast<std::size_t>(decimals);
}

// Half a unit of the last decimal, and what doubles may be off.
double rounding_of(std::size_t decimals, double value) noexcept {
  double unit = 1;
  for (std::size_t i = 0; i < decimals; ++i) unit /= 10;
  return unit / 2 + 4 * std::numeric_limits<double>::epsilon() * std::max(1.0, value);
}

}  // namespace

PairFile::PairFile(TableReader& table, const std::optional<PairBound>& bound)
    : table_(table), bound_(bound) {
  if (table.columns().empty()) return;
  left_ = table.column("left");
  right_ = table.column("right");
  tells_distances_ = !table.has_column("similarity") && table.has_column("distance");
  column_ = table.column(tells_distances_ ? "distance" : "similarity");
}

bool PairFile::next() {
  while (table_.next()) {
    read_value();
    if (is_within_bound()) return true;
  }
  return false;
}

Overlap PairFile::overlap() const noexcept {
  const auto parts = static_cast<std::uint32_t>(std::min<double>(millionths(value_), kMillion));
  return {tells_distances_ ? kMillion - parts : parts, kMillion};
}

void PairFile::read_value() {
  const std::string& text = table_.cells()[column_];
  const auto value = parse_value(text, tells_distances_ ? HUGE_VAL : 1);
  if (!value) {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                fmt::format("'{}' is no {}", text,
                            tells_distances_ ? "distance" : "similarity between 0 and 1"));
  }
  if (left() == right()) {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                fmt::format("'{}' is paired with itself", left()));
  }
  value_ = *value;
}

bool PairFile::is_within_bound() const {
  if (!bound_) return true;
  const std::size_t decimals = decimals_of(table_.cells()[column_]);
  if (decimals > kDecimals) {
    const double rounding = rounding_of(decimals, value_);
    const double bound = bound_->bound.value();
    if (!bound_->is_similarity) return value_ - rounding <= bound;
    return (tells_distances_ ? 1 - value_ : value_) + rounding >= bound;
  }
  if (bound_->is_similarity) return overlap().shared >= least_written(bound_->bound);
  return millionths(value_) <= most_written(bound_->bound);
}

}  // namespace sosie
