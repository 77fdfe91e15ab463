#pragma once

#include <cstddef>

namespace sosie::kernels {

// Numbers of lines and vectors processed at a time.
inline constexpr std::size_t kLineBlock = 16;
inline constexpr std::size_t kCellVectors = 4;

// Computes the cells of kCellVectors vectors on `blocks` blocks of lines. For vector v on line l,
// the cell is the largest integer not above <v, line> + offsets[l], stored as a double at cells[v *
// blocks * kLineBlock + l]. Zeros are never negative, and NaN becomes 0. Component k of line l in a
// block is at lines[(block * dimension + k) * kLineBlock + l]. Terms are added from the first
// component to the last, with product and sum rounded separately, so the bits are identical on
// every CPU.
void segment_cells(const double* const* vectors, std::size_t dimension, const double* lines,
                   const double* offsets, std::size_t blocks, double* cells) noexcept;

}  // namespace sosie::kernels
