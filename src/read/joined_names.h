#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// "title,body": the names of fields that are joined with a line break.
[[nodiscard]] inline std::vector<std::string> joined_names(std::string_view names) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = names.find(',');
    parts.emplace_back(names.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    names.remove_prefix(comma + 1);
  }
}

}  // namespace sosie
