#pragma once

#include <cstdint>

namespace sosie {

// The number of a row in a corpus in memory: in a batch of rows, or in a run whose rows are all in
// memory. Data stored per row uses this type.
using RowId = std::uint32_t;
inline constexpr RowId kNoRow = ~RowId{0};

// The number of a row in its run, counted from 0 over all inputs. Rows in scratch have only such
// numbers, since there may be more of them than a RowId can distinguish. A RowId converts to a
// RowNumber on its own; the conversion back requires a corpus in memory.
using RowNumber = std::uint64_t;
inline constexpr RowNumber kNoRowNumber = ~RowNumber{0};

// The value that stands for no row is converted to its RowNumber equivalent.
[[nodiscard]] constexpr RowNumber row_number(RowId row) noexcept {
  return row == kNoRow ? kNoRowNumber : row;
}
// `row` must be in a corpus in memory, or stand for no row.
[[nodiscard]] constexpr RowId row_id(RowNumber row) noexcept { return static_cast<RowId>(row); }

// The position of a row's bytes, including its line end.
struct RowLocator {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t file = 0;  // index of the input file
};

}  // namespace sosie
