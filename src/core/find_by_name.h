#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace sosie {

// The row of a table that has this name; nullptr when there is none.
template <class Row>
[[nodiscard]] const Row* find_by_name(std::span<const Row> table, std::string_view name) noexcept {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace sosie
