// Formats counts, sizes and plurals for people.
#include "core/count_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace sosie {

std::string count_text(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string rounded_text(double number) {
  return count_text(static_cast<std::uint64_t>(std::llround(number)));
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string plural_text(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

std::string bad_lines_text(std::uint64_t rows, std::uint64_t lines) {
  if (lines <= rows) return {};
  return fmt::format(" ({} lines; a stray quote can merge many rows into one)", count_text(lines));
}

}  // namespace sosie
