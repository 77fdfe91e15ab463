#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/record.h"

namespace sosie {

// Appends the squares that a point belongs to, one a line: "COLUMN,ROW", counted from 0 at the
// origin, or "COLUMN,ROW,SECTOR" where the grid tells directions apart. A point that is no farther
// than the grid's border from an edge belongs to the square behind it too, near a corner to four;
// behind the last column and row there is none. `point`: "12.5,3", "[12.5, 3]", or with an angle in
// degrees as third number. Throws RowError for other text, for a point outside the grid, and for a
// point without an angle where one is needed.
void append_squares(const Grid& grid, std::string_view point, std::string& lines);

// Squares of a bounded grid.
[[nodiscard]] std::uint64_t count_squares(const Grid& grid) noexcept;

// All squares of a bounded grid, one a line.
[[nodiscard]] std::string all_squares(const Grid& grid);

}  // namespace sosie
