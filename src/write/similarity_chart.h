#pragma once

#include <string>

#include "write/html_report.h"

namespace sosie {

// Near-duplicates by what the measure says of them as bars, with the curves over them, as an inline
// SVG: this run's
// curve bold, the others as ghost lines named by letters (a, b, c ...). Colours are the page's.
[[nodiscard]] std::string similarity_chart(const ReportPage& page);

// Noun for the measure's value: "similarity" or "distance".
[[nodiscard]] std::string value_name(const ReportPage& page);

// Where a bin begins, as a number.
[[nodiscard]] std::string bin_text(const ReportPage& page, std::size_t bin);

// The letter of the i-th curve; the first has none.
[[nodiscard]] char curve_letter(std::size_t i) noexcept;

}  // namespace sosie
