// Sizes as options take them.
#include "core/size_text.h"

#include <fmt/format.h>

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

}  // namespace sosie
