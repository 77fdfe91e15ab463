// Parses sizes and counts of options.
#include "core/size_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/count_text.h"

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

std::string limit_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  const bool is_typed = bytes < kMebibyte || bytes % kMebibyte == 0;
  return is_typed ? size_text(bytes) : bytes_text(bytes);
}

std::string round_size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;
  const auto above = [](std::uint64_t number, std::uint64_t step) {
    return (number + step - 1) / step * step;
  };
  const std::uint64_t least = bytes / kMebibyte + 1;
  if (least < 100) return fmt::format("{}M", least);
  if (least < 1000) return fmt::format("{}M", above(least, 10));
  const std::uint64_t whole = above(least * kMebibyte, kGibibyte) / kGibibyte;
  if (whole * kGibibyte <= bytes + bytes / 8) return fmt::format("{}G", whole);
  return fmt::format("{}M", above(least, 100));
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
