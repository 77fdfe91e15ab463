#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace sosie::reference {

// The falling sequence nearest to `values` by weighted squares, computed from its min-max formula:
// the value at i is the minimum over starts a <= i of the maximum over ends b >= i of the mean of
// a..b. (Minimum and maximum have the roles that apply to a falling fit.) Source: Robertson,
// Wright, Dykstra 1988, 1.4.
inline std::vector<double> falling_fit(const std::vector<double>& values,
                                       const std::vector<double>& weights) {
  std::vector<double> fit;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a <= i; ++a) {
      double greatest = -std::numeric_limits<double>::infinity();
      for (std::size_t b = i; b < values.size(); ++b) {
        double sum = 0;
        double weight = 0;
        for (std::size_t k = a; k <= b; ++k) {
          sum += values[k] * weights[k];
          weight += weights[k];
        }
        greatest = std::max(greatest, sum / weight);
      }
      least = std::min(least, greatest);
    }
    fit.push_back(least);
  }
  return fit;
}

}  // namespace sosie::reference
