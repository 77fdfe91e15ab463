// Exponential, logarithm, arc functions and the normal law by series in one fixed order.
#include "core/real_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sosie {
namespace {

// log(2) in two parts: multiples of the first part by small integers are exact.
constexpr double kLog2High = 6.93147180369123816490e-01;
constexpr double kLog2Low = 1.90821492927058770002e-10;
constexpr double kLog2 = kLog2High + kLog2Low;
constexpr double kLargestExponent = 709;
constexpr double kRootOfHalf = 0.70710678118654752440;

}  // namespace

double exponential(double x) noexcept {
  if (x < -745) return 0;
  if (x > kLargestExponent) return std::numeric_limits<double>::infinity();
  const double scaled = x / kLog2;
  const int n = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double rest = (x - n * kLog2High) - n * kLog2Low;
  double sum = 1;
  for (int i = 18; i > 0; --i) sum = 1 + rest * sum / i;
  return std::ldexp(sum, n);  // exact
}

double logarithm(double x) noexcept {
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);  // exact
  if (fraction < kRootOfHalf) {
    fraction *= 2;
    --exponent;
  }
  const double s = (fraction - 1) / (fraction + 1);  // log of the fraction is 2 artanh(s)
  double sum = 0;
  for (int i = 31; i > 0; i -= 2) sum = 1.0 / i + s * s * sum;
  return exponent * kLog2High + (2 * s * sum + exponent * kLog2Low);
}

double arc_tangent(double x) noexcept {
  if (x < 0) return -arc_tangent(-x);
  if (x > 1) return kPi / 2 - arc_tangent(1 / x);
  double reduced = x;
  for (int i = 0; i < 2; ++i) reduced = reduced / (1 + std::sqrt(1 + reduced * reduced));
  double sum = 0;
  for (int i = 31; i > 0; i -= 2) sum = 1.0 / i - reduced * reduced * sum;
  return 4 * reduced * sum;
}

double arc_cosine_degrees(double x) noexcept {
  if (x >= 1) return 0;
  if (x <= -1) return 180;
  const double degrees = 360 / kPi * arc_tangent(std::sqrt((1 - x) / (1 + x)));
  return x >= 0 ? std::min(90.0, degrees) : degrees;  // a right angle is one, not 90 + 1e-14
}

double normal_between_zero_and(double x) noexcept {
  if (x > 9) return 0.5;
  // x + x^3/3 + x^5/15 + ... (Abramowitz and Stegun 26.2.11): no term is negative.
  double term = x;
  double sum = x;
  for (int i = 3; term > sum * 1e-17; i += 2) {
    term *= x * x / i;
    sum += term;
  }
  return sum * exponential(-x * x / 2) / std::sqrt(2 * kPi);
}

}  // namespace sosie
