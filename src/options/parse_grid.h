#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/record.h"

namespace sosie {

inline constexpr std::string_view kGridForm =
    "grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]";
// Most squares of a grid with a size.
inline constexpr std::uint64_t kMostSquaresOfGrid = std::uint64_t{1} << 20;

// "grid:10,border:2,size:500x500,directions:8": all numbers above 0, a border of half a cell at
// most, at most kMostSquaresOfGrid squares, 2 to 360 directions; each part once, `grid` first.
// Nothing when it is no such text.
[[nodiscard]] std::optional<Grid> parse_grid(std::string_view text);

}  // namespace sosie
