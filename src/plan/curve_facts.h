#pragma once

#include <string>

#include "plan/candidate_probability.h"
#include "plan/curve.h"

namespace sosie {

// The facts about a curve in a drawing, which are the same on a terminal and in SVG.
struct CurveFacts {
  std::string banding;       // "16 x 6", or the number of functions of another construction
  std::string at_threshold;  // "99.23 %"
  double half = 0;
  Steepest steepest{};
};

[[nodiscard]] CurveFacts curve_facts(const Curve& curve, double threshold);

// The letter that labels the i-th curve: none for the first curve, then a, b, c ...
[[nodiscard]] char ghost_letter(std::size_t i) noexcept;

// A threshold in its shortest form: "0.8".
[[nodiscard]] std::string short_number(double value);

}  // namespace sosie
