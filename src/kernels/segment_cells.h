#pragma once

#include <cstddef>

namespace sosie::kernels {

// Lines are taken so many at a time, vectors so many.
inline constexpr std::size_t kLineBlock = 16;
inline constexpr std::size_t kCellVectors = 4;

// Cells of kCellVectors vectors on `blocks` blocks of lines: of vector v on line l the greatest
// whole number not above <v, line> + offsets[l], a double at cells[v * blocks * kLineBlock + l]. No
// zero is negative, and what is not a number is 0. Component k of line l of a block stands at
// lines[(block * dimension + k) * kLineBlock + l]. Terms are added from the first component on,
// product and sum rounded each: the same bits on every CPU.
void segment_cells(const double* const* vectors, std::size_t dimension, const double* lines,
                   const double* offsets, std::size_t blocks, double* cells) noexcept;

}  // namespace sosie::kernels
