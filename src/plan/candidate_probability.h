#pragma once

#include <cstdint>

// The S-curve of banding (MMDS 3.4): no libm, see banding_plan.h.
namespace sosie {

// x^n by repeated squaring: identical bits on every machine, unlike std::pow.
[[nodiscard]] double integer_power(double x, std::uint64_t n) noexcept;

// Probability that a pair of similarity s shares at least one of b bands of r rows:
// 1 - (1 - s^r)^b.
[[nodiscard]] double candidate_probability(double s, int bands, int rows) noexcept;

// (1 - s^r)^b, for values where 1 - candidate_probability would have no digits left.
[[nodiscard]] double miss_probability(double s, int bands, int rows) noexcept;

// The similarity found with probability 1/2: (1 - 2^(-1/b))^(1/r), by bisection.
[[nodiscard]] double half_point(int bands, int rows) noexcept;

// The usual approximation (1/b)^(1/r); always above the half point.
[[nodiscard]] double approximate_threshold(int bands, int rows) noexcept;

// Point where the curve is steepest: ((r-1)/(br-1))^(1/r), and the slope there.
struct Steepest {
  double at;
  double slope;
};
[[nodiscard]] Steepest steepest_point(int bands, int rows) noexcept;

// Area of false negatives above t plus false positives below t, for choosing b and r (T-4.6).
[[nodiscard]] double error_area(double threshold, int bands, int rows) noexcept;

// The banding of exactly `functions` functions (b * r) with the smallest error_area() (ties: fewer
// rows).
struct LeastErrors {
  int bands = 1;
  int rows = 1;
  double area = 0;
};
[[nodiscard]] LeastErrors least_error_area(double threshold, int functions) noexcept;

}  // namespace sosie
