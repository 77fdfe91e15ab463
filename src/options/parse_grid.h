#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/record.h"

namespace sosie {

inline constexpr std::string_view kGridForm =
    "grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]";
// Maximum number of squares in a bounded grid.
inline constexpr std::uint64_t kMostSquaresOfGrid = std::uint64_t{1} << 20;

// Parses "grid:10,border:2,size:500x500,directions:8". All numbers must be above 0, the border at
// most half a cell, the number of squares at most kMostSquaresOfGrid, and the number of directions
// 2 to 360. `grid` comes first, and each part may occur once. Returns nullopt for any other text.
[[nodiscard]] std::optional<Grid> parse_grid(std::string_view text);

}  // namespace sosie
