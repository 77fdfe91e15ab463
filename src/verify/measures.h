#pragma once

#include <span>
#include <string_view>

#include "data/measure.h"

namespace sosie {

// The table of measures.
[[nodiscard]] std::span<const Measure> measures() noexcept;
[[nodiscard]] const Measure* measure_by_name(std::string_view name) noexcept;

}  // namespace sosie
