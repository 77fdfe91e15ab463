#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sosie {

// Ids of items.
struct ItemIds {
  std::vector<std::string> names;  // empty: their row numbers
  std::vector<bool> integers;      // one for each name: true if JSON has it without quotes

  [[nodiscard]] std::string name_of(std::size_t row) const {
    return names.empty() ? std::to_string(row) : names[row];
  }
  [[nodiscard]] bool is_integer(std::size_t row) const { return names.empty() || integers[row]; }
};

}  // namespace sosie
