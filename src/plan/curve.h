#pragma once

#include <string>
#include <vector>

#include "plan/banding_plan.h"
#include "plan/construction.h"

namespace sosie {

// An S-curve to be drawn.
struct Curve {
  std::string name;
  Construction construction;
};

// Labels of a drawing.
struct PictureText {
  std::string title = "Probability that a pair of this similarity is found";
  std::string axis = "Jaccard similarity";
  std::string mark = "threshold";  // meaning of the dotted line
};

struct PictureSize {
  int width = 80;   // columns of the plot and its scale, clamped to 60 to 240; the table
                    // below takes 80 with names of up to 15 letters
  int height = 30;  // lines, axis and legend included; the plot itself never has less than 8
};

// The curve of a plan, followed by the curves of datasketch at this threshold and of kPeerBandings.
[[nodiscard]] std::vector<Curve> curves_beside_peers(const BandingPlan& plan, double threshold);

// Draws the curves as UTF-8 text: similarity 0 to 1 from left to right, probability of sharing a
// band from bottom to top. The first curve is bold and has its half point and steepest point
// marked; the others are ghost lines labelled with letters. A table below lists the probability
// with which each curve finds a pair at the threshold. Uses no colours; every line ends with a
// newline. Deterministic.
[[nodiscard]] std::string draw_terminal(const std::vector<Curve>& curves, double threshold,
                                        PictureSize size = {}, const PictureText& words = {});

// Draws the picture as a self-contained SVG (no scripts, fonts or links) that is readable on light
// and dark backgrounds and labelled for screen readers.
[[nodiscard]] std::string draw_svg(const std::vector<Curve>& curves, double threshold,
                                   const PictureText& words = {});

}  // namespace sosie
