#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace sosie {

// Facts about a file format, for the documentation.
struct FormatFacts {
  std::string_view name;                       // value of --format
  std::array<std::string_view, 2> extensions;  // with the dot; either may be empty
  std::string_view kind;                       // kind of its rows without --kind
  std::string_view row;                        // Markdown that defines a row and an item
  std::string_view item;
  bool has_tables;  // pairs, clusters and other tables can use it
};

// All formats, in the order of the documentation.
[[nodiscard]] std::vector<FormatFacts> known_formats();

}  // namespace sosie
