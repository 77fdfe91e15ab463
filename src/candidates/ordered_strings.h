#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/thread_pool.h"
#include "data/string_column.h"

namespace sosie {

// Distinct strings of a column as items, by length, then by their first eight bytes; items of
// the left side before items of the right one. Their symbols lie behind each other in this order:
// what meets in a join is often near in memory, too.
struct OrderedStrings {
  StringColumn column;                    // a row an item; kReadBehind bytes are behind its symbols
  std::vector<std::uint64_t> signatures;  // by item
  std::vector<std::uint32_t> starts;      // start of each item in `rows`, then the end
  std::vector<RowId> rows;                // ascending for each item
  bool across = false;                    // pairs are of an item of each side
  std::uint32_t split = 0;                // the first item of the right side

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(column.rows());
  }
  [[nodiscard]] std::span<const RowId> rows_of(std::uint32_t item) const noexcept {
    return std::span(rows).subspan(starts[item], starts[item + 1] - starts[item]);
  }
  [[nodiscard]] bool is_left(std::uint32_t item) const noexcept { return item < split; }
};

// Items of one length of one side, behind each other.
struct ItemRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Orders two ranges of rows of a column (of a join within one: `right` is empty), and makes
// signatures by the SymbolClasses of both.
[[nodiscard]] OrderedStrings order_strings(const StringColumn& column, const ItemRange& left,
                                           const ItemRange& right);

// Lengths that items have, ascending, with the items of each: of the left side, or of a join within
// one, first; then of the right side.
struct LengthRange {
  std::uint32_t length;
  ItemRange left;
  ItemRange right;
};
[[nodiscard]] std::vector<LengthRange> lengths_of(const OrderedStrings& strings);

}  // namespace sosie
