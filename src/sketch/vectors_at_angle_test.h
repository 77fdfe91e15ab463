#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/real_functions.h"
#include "sketch/standard_normal.h"

// Vectors for statistical tests of families that are sensitive to angles.
namespace sosie {

using Vector = std::vector<double>;

inline double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}

inline Vector unit(Vector x) {
  const double length = std::sqrt(dot(x, x));
  for (double& component : x) component /= length;
  return x;
}

// Two random vectors of length 1 at this angle to each other.
inline std::vector<Vector> vectors_at_angle(double degrees, std::size_t dimension,
                                            std::uint64_t seed) {
  Vector x(dimension);
  Vector y(dimension);
  for (std::size_t k = 0; k < dimension; ++k) {
    x[k] = standard_normal(seed + 1000, k);
    y[k] = standard_normal(seed + 2000, k);
  }
  x = unit(x);
  const double along = dot(x, y);
  for (std::size_t k = 0; k < dimension; ++k) y[k] -= along * x[k];
  y = unit(y);
  const double radians = degrees * kPi / 180;
  for (std::size_t k = 0; k < dimension; ++k) {
    y[k] = std::cos(radians) * x[k] + std::sin(radians) * y[k];
  }
  return {x, y};
}

}  // namespace sosie
