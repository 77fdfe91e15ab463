#pragma once

#include <cstdint>

namespace sosie {

// A row's number in a corpus that lies in memory: in a batch of rows, or in a run whose rows all
// lie there. What is kept for each row is made of these.
using RowId = std::uint32_t;
inline constexpr RowId kNoRow = ~RowId{0};

// A row's number in its run, counted from 0 over all inputs. Rows in scratch are numbered by these
// only, since there may be more than a RowId tells apart; a RowId turns into one by itself, and
// back where a corpus in memory is at hand.
using RowNumber = std::uint64_t;
inline constexpr RowNumber kNoRowNumber = ~RowNumber{0};

// None stays none.
[[nodiscard]] constexpr RowNumber row_number(RowId row) noexcept {
  return row == kNoRow ? kNoRowNumber : row;
}
// `row` is of a corpus in memory, or none.
[[nodiscard]] constexpr RowId row_id(RowNumber row) noexcept { return static_cast<RowId>(row); }

// Where a row's bytes are, its line end included.
struct RowLocator {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t file = 0;  // index of the input file
};

}  // namespace sosie
