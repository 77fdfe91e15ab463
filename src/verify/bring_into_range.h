#pragma once

#include <span>

#include "data/columns.h"

namespace sosie {

// For measures of angles: scales float64 rows whose components are so large or so small that their
// products would leave the range of double. Rows are scaled by powers of two, which does not change
// their direction and causes no significant rounding; other rows remain unchanged. O(components).
void bring_into_range(VectorColumn& column) noexcept;

// Variant for a single row. Returns false if the row is all zeros and therefore has no direction.
bool bring_into_range(std::span<double> row) noexcept;

// True if some rows are so long, or all rows so short, that arithmetic on their squared lengths
// (`squares`) leaves the range of double. In this case, near rows can be found only with the
// measure itself.
[[nodiscard]] bool are_out_of_range(const VectorColumn& column,
                                    std::span<const double> squares) noexcept;

}  // namespace sosie
