#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace sosie {

// Minimum number of insertions, deletions and replacements of bytes that turn a into b
// (Levenshtein); returns `limit` if this number is not smaller.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The name that whoever typed `written` may have meant: the first of `names` with the smallest edit
// distance. A difference in case, two swapped characters, and a missing end each count as one edit.
// Empty if no name is near; at most a third of the characters may be wrong.
[[nodiscard]] std::string_view nearest_name(std::string_view written,
                                            std::span<const std::string_view> names);

// The row of the table that has this name; nullptr if there is none.
template <class Row>
[[nodiscard]] const Row* find_by_name(std::span<const Row> table, std::string_view name) noexcept {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace sosie
