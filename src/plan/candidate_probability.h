#pragma once

#include <cstdint>

// The S-curve of banding (MMDS 3.4). Does not use libm, see banding_plan.h.
namespace sosie {

// x^n by repeated squaring; unlike std::pow, it has identical bits on every machine.
[[nodiscard]] double integer_power(double x, std::uint64_t n) noexcept;

// Probability that a pair of similarity s shares at least one of b bands of r rows:
// 1 - (1 - s^r)^b.
[[nodiscard]] double candidate_probability(double s, int bands, int rows) noexcept;

// (1 - s^r)^b, for cases in which 1 - candidate_probability would have no digits left.
[[nodiscard]] double miss_probability(double s, int bands, int rows) noexcept;

// The similarity at which the probability is 1/2: (1 - 2^(-1/b))^(1/r), by bisection.
[[nodiscard]] double half_point(int bands, int rows) noexcept;

// The usual approximation (1/b)^(1/r); always above the half point.
[[nodiscard]] double approximate_threshold(int bands, int rows) noexcept;

// The point at which the curve is steepest, ((r-1)/(br-1))^(1/r), and its slope there.
struct Steepest {
  double at;
  double slope;
};
[[nodiscard]] Steepest steepest_point(int bands, int rows) noexcept;

// Area of false negatives above t plus area of false positives below t, as a criterion for b and r
// (T-4.6).
[[nodiscard]] double error_area(double threshold, int bands, int rows) noexcept;

// The banding with exactly `functions` functions (b * r) that has the smallest error_area() (ties:
// fewer rows).
struct LeastErrors {
  int bands = 1;
  int rows = 1;
  double area = 0;
};
[[nodiscard]] LeastErrors least_error_area(double threshold, int functions) noexcept;

}  // namespace sosie
