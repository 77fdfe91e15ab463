#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace sosie {

// A file format as documentation shows it.
struct FormatFacts {
  std::string_view name;                       // value of --format
  std::array<std::string_view, 2> extensions;  // with the dot; either may be empty
  std::string_view kind;                       // items that its rows are without --kind
  std::string_view row;                        // Markdown that says what a row and an item are
  std::string_view item;
  bool has_tables;  // pairs, clusters and other tables are written in it and read from it
};

// Every format, in the order of the documentation.
[[nodiscard]] std::vector<FormatFacts> known_formats();

}  // namespace sosie
