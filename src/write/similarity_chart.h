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

// The box that charts of pages are drawn in, in user units: from (kPlotLeft, kPlotTop) to
// (kPlotRight, kPlotBottom).

inline constexpr int kPlotWidth = 860;
inline constexpr int kPlotHeight = 390;
inline constexpr int kPlotLeft = 70;
inline constexpr int kPlotRight = 800;
inline constexpr int kPlotTop = 40;
inline constexpr int kPlotBottom = 330;

// Height of a part, from 0 at the bottom to 1 at the top.
[[nodiscard]] constexpr double plot_y(double part) noexcept {
  return kPlotBottom - part * (kPlotBottom - kPlotTop);
}

}  // namespace sosie
