#pragma once

#include <compare>

namespace sosie {

// Characters that cut a file of CSV or TSV into rows and fields.
struct Dialect {
  char separator = '\0';  // between fields; '\0': rows have no fields
  char quote = '"';       // around a field; '\0': none, quotes are text
  char escape = '\0';     // inside quotes: the next character is text; '\0': quotes are doubled

  friend constexpr auto operator<=>(const Dialect&, const Dialect&) = default;
};

}  // namespace sosie
