// Probabilities of banding and their inverse, by integer powers and bisection.
#include "plan/candidate_probability.h"

namespace sosie {
namespace {

// Number of bisections of [0, 1] after which a double no longer changes.
constexpr int kCurveBisections = 64;

// The x in [0, 1] at which an increasing function reaches `level`.
template <typename Rising>
double bisect(Rising rising, double level) noexcept {
  double low = 0;
  double high = 1;
  for (int i = 0; i < kCurveBisections; ++i) {
    const double middle = low + (high - low) / 2;
    (rising(middle) < level ? low : high) = middle;
  }
  return high;
}

// Simpson's rule. With 512 panels, the error is below 1e-8 for r <= 100.
template <typename Curve>
double integrate(Curve curve, double from, double to) noexcept {
  constexpr int kPanels = 512;
  const double step = (to - from) / (2 * kPanels);
  double sum = curve(from) + curve(to);
  for (int i = 1; i < 2 * kPanels; ++i) sum += (i % 2 == 1 ? 4 : 2) * curve(from + i * step);
  return sum * step / 3;
}

std::uint64_t exponent(int n) noexcept { return n > 0 ? static_cast<std::uint64_t>(n) : 0; }

double root(double x, int degree) noexcept {
  return bisect([degree](double s) { return integer_power(s, exponent(degree)); }, x);
}

}  // namespace

double integer_power(double x, std::uint64_t n) noexcept {
  double power = 1;
  for (; n != 0; n /= 2) {
    if (n % 2 == 1) power *= x;
    x *= x;
  }
  return power;
}

double candidate_probability(double s, int bands, int rows) noexcept {
  return 1 - miss_probability(s, bands, rows);
}

double miss_probability(double s, int bands, int rows) noexcept {
  return integer_power(1 - integer_power(s, exponent(rows)), exponent(bands));
}

double half_point(int bands, int rows) noexcept {
  return bisect([=](double s) { return candidate_probability(s, bands, rows); }, 0.5);
}

double approximate_threshold(int bands, int rows) noexcept { return root(1.0 / bands, rows); }

Steepest steepest_point(int bands, int rows) noexcept {
  if (rows <= 1) return {0, static_cast<double>(bands)};
  const double power = static_cast<double>(rows - 1) / (static_cast<double>(bands) * rows - 1);
  const double at = root(power, rows);
  const double slope = static_cast<double>(bands) * rows * integer_power(at, exponent(rows - 1)) *
                       integer_power(1 - power, exponent(bands - 1));
  return {at, slope};
}

double error_area(double threshold, int bands, int rows) noexcept {
  const double false_positives =
      integrate([=](double s) { return candidate_probability(s, bands, rows); }, 0, threshold);
  const double false_negatives =
      integrate([=](double s) { return miss_probability(s, bands, rows); }, threshold, 1);
  return false_positives + false_negatives;
}

LeastErrors least_error_area(double threshold, int functions) noexcept {
  LeastErrors least{functions, 1, error_area(threshold, functions, 1)};
  for (int rows = 2; rows <= functions; ++rows) {
    if (functions % rows != 0) continue;
    const double area = error_area(threshold, functions / rows, rows);
    if (area < least.area) least = {functions / rows, rows, area};
  }
  return least;
}

}  // namespace sosie
