// Parses sizes and counts of options.
#include "core/size_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace sosie {

std::string size_text(std::uint64_t bytes) {
  constexpr unsigned kBitsOfUnit = 10;
  constexpr std::string_view kUnits = "GMK";
  unsigned shift = kBitsOfUnit * static_cast<unsigned>(kUnits.size());
  for (const char unit : kUnits) {
    const std::uint64_t whole = bytes >> shift;
    if (whole > 0 && whole << shift == bytes) return fmt::format("{}{}", whole, unit);
    shift -= kBitsOfUnit;
  }
  return fmt::format("{}", bytes);
}

std::optional<std::uint64_t> parse_count(std::string_view text) noexcept {
  constexpr double kMost = 1e12;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(number >= 1 && number <= kMost) || number != std::floor(number)) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

}  // namespace sosie
