#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/record.h"

namespace sosie {

inline constexpr std::string_view kGridForm =
    "grid:CELL[,border:F][,size:WIDTHxHEIGHT][,directions:N]";
// Maximum number of squares of a bounded grid.
inline constexpr std::uint64_t kMostSquaresOfGrid = std::uint64_t{1} << 20;

// Reads "grid:10,border:2,size:500x500,directions:8": all numbers above 0, a border of at most half
// a cell, at most kMostSquaresOfGrid squares, 2 to 360 directions; each part once, `grid` first.
// Returns nullopt for other texts.
[[nodiscard]] std::optional<Grid> parse_grid(std::string_view text);

}  // namespace sosie
