#pragma once

#include <span>

#include "data/columns.h"

namespace sosie {

// Multiplies float64 rows whose components are so large or so small that products of them would
// leave the range of doubles by powers of two, which turns no row and rounds nothing that counts:
// for measures of angles. Other rows stay as they are. O(components).
void bring_into_range(VectorColumn& column) noexcept;

// Does that for one row. False if it is all zeros, which have no direction.
bool bring_into_range(std::span<double> row) noexcept;

// True if rows are so long, or all rows so short, that arithmetic on their squared lengths
// (`squares`) leaves the range of doubles: nothing but the measure itself tells near rows then.
[[nodiscard]] bool are_out_of_range(const VectorColumn& column,
                                    std::span<const double> squares) noexcept;

}  // namespace sosie
