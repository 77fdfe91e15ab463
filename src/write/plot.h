#pragma once

// The box that charts of pages are drawn in, in user units: from (kPlotLeft, kPlotTop) to
// (kPlotRight, kPlotBottom).
namespace sosie {

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
