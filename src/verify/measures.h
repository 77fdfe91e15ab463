#pragma once

#include <span>
#include <string_view>

#include "data/measure.h"

namespace sosie {

// The table of measures.
[[nodiscard]] std::span<const Measure> measures() noexcept;
[[nodiscard]] const Measure* measure_by_name(std::string_view name) noexcept;

// bag-jaccard with the union that adds multiplicities up, |A and B| / (|A| + |B|): by the Jaccard
// similarity J of the numbered occurrences it is J / (1 + J). Its `reaches` and bounds are those of
// J, so they want the threshold a / (b - a) where a / b is meant.
[[nodiscard]] const Measure& bag_jaccard_of_sum() noexcept;

}  // namespace sosie
