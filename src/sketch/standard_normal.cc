// Normal and Cauchy variates by index, without libm.
#include "sketch/standard_normal.h"

#include <cmath>

#include "core/mix64.h"
#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr double kTwoToMinus53 = 1.0 / 9007199254740992.0;

struct Point {
  double x;
  double y;

  [[nodiscard]] double square() const noexcept { return x * x + y * y; }
};

// Uniform in the unit disc, never on an axis.
Point point_in_disc(std::uint64_t seed, std::uint64_t i) noexcept {
  const std::uint64_t stream = random64(seed, i);
  for (std::uint64_t attempt = 0;; attempt += 2) {
    const Point point{2 * uniform_number(stream, attempt) - 1,
                      2 * uniform_number(stream, attempt + 1) - 1};
    if (point.square() < 1) return point;
  }
}

}  // namespace

double uniform_number(std::uint64_t seed, std::uint64_t i) noexcept {
  return (static_cast<double>(random64(seed, i) >> 12) + 0.5) * 2 * kTwoToMinus53;
}

double standard_normal(std::uint64_t seed, std::uint64_t i) noexcept {
  const Point point = point_in_disc(seed, i);
  const double square = point.square();
  return point.x * std::sqrt(-2 * logarithm(square) / square);
}

double standard_cauchy(std::uint64_t seed, std::uint64_t i) noexcept {
  const Point point = point_in_disc(seed, i);
  return point.x / point.y;
}

}  // namespace sosie
