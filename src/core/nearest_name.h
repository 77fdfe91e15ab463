#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

namespace sosie {

// The fewest insertions, deletions and replacements of bytes that make b of a (Levenshtein);
// `limit` stands for all that is not less.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The one of `names` that somebody who wrote `written` may have meant: the first with the smallest
// edit distance, where other case, two swapped letters or a missing end count as one edit. Empty
// when none is near: at most a third of the letters may be wrong.
[[nodiscard]] std::string_view nearest_name(std::string_view written,
                                            std::span<const std::string_view> names);

// The row of a table that has this name; nullptr when there is none.
template <class Row>
[[nodiscard]] const Row* find_by_name(std::span<const Row> table, std::string_view name) noexcept {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace sosie
