#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

namespace sosie {

// A number written with 6 decimals in text, and as it is elsewhere.
struct Decimal {
  double value;
};

// A row's id: in JSON and in columns it has the type it has in the input.
struct IdText {
  std::string_view text;
  bool is_integer = false;
};

// One value of a table row.
using Cell = std::variant<std::string_view, std::uint64_t, Decimal, bool, IdText>;

}  // namespace sosie
