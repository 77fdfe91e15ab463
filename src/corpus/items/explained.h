#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/columns.h"
#include "data/explained_line.h"
#include "verify/edit_pattern.h"

namespace sosie {

// Angle, distance, lengths, and the components that differ most.
[[nodiscard]] std::vector<ExplainedLine> explained_vectors(std::span<const double> left,
                                                           std::span<const double> right);

// The number of differing bits, the positions of the first of these, and the number of bits that
// are 1 in both.
[[nodiscard]] std::vector<ExplainedLine> explained_bits(const BitColumn& column, std::size_t left,
                                                        std::size_t right);

// All components of a vector; the positions of all 1 bits.
[[nodiscard]] std::vector<std::string> explained_components(std::span<const double> vector);
[[nodiscard]] std::vector<std::string> explained_positions(const BitColumn& column,
                                                           std::size_t row);
// Both strings side by side, and the edits of a shortest sequence that turns the left string into
// the right one.
[[nodiscard]] std::vector<ExplainedLine> explained_strings(EditMeasure measure,
                                                           std::span<const char32_t> left,
                                                           std::span<const char32_t> right);

}  // namespace sosie
