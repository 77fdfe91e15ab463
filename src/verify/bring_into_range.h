#pragma once

#include <span>

#include "data/columns.h"

namespace sosie {

// For measures of angles: scales float64 rows whose components are so large or so small that their
// products would leave the range of double. Rows are scaled by powers of two, which changes no
// direction and causes no rounding that matters; other rows are not changed. O(components).
void bring_into_range(VectorColumn& column) noexcept;

// Variant for a single row. Returns false if it is all zeros, which has no direction.
bool bring_into_range(std::span<double> row) noexcept;

// True if rows are so long, or all rows so short, that arithmetic on their squared lengths
// (`squares`) leaves the range of double. Near rows can then be found only with the measure itself.
[[nodiscard]] bool are_out_of_range(const VectorColumn& column,
                                    std::span<const double> squares) noexcept;

}  // namespace sosie
