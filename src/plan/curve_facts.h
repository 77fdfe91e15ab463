#pragma once

#include <string>

#include "plan/candidate_probability.h"
#include "plan/curve.h"

namespace sosie {

// Facts that a picture states about a curve, equal in a terminal and in SVG.
struct CurveFacts {
  std::string banding;       // "16 x 6", or how many functions another construction takes
  std::string at_threshold;  // "99.23 %"
  double half = 0;
  Steepest steepest{};
};

[[nodiscard]] CurveFacts curve_facts(const Curve& curve, double threshold);

// The letter that names the i-th curve: none for the first, then a, b, c ...
[[nodiscard]] char ghost_letter(std::size_t i) noexcept;

// A threshold as short as it can be written: "0.8".
[[nodiscard]] std::string short_number(double value);

}  // namespace sosie
