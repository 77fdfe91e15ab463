// Collision probabilities of minhash, bit sampling, hyperplanes and segments.
#include "sketch/collision_laws.h"

#include <cmath>

#include "core/real_functions.h"

namespace sosie {
namespace {

// Below this the closed forms subtract what is nearly equal, and three terms of their series in r
// are right to 1e-12.
constexpr double kSmall = 0.01;

}  // namespace

double minhash_collision_law(double distance) noexcept { return 1 - distance; }

double bit_sampling_collision_law(double distance) noexcept { return 1 - distance; }

double hyperplane_collision_law(double degrees) noexcept { return 1 - degrees / 180; }

double gaussian_segment_collision_law(double distance) noexcept {
  if (distance <= 0) return 1;
  const double r = 1 / distance;
  if (r < kSmall) return r / std::sqrt(2 * kPi) * (1 - r * r / 12 + r * r * r * r / 120);
  return 2 * normal_between_zero_and(r) -
         2 / (std::sqrt(2 * kPi) * r) * (1 - exponential(-r * r / 2));
}

double cauchy_segment_collision_law(double distance) noexcept {
  if (distance <= 0) return 1;
  const double r = 1 / distance;
  if (r < kSmall) return r / kPi * (1 - r * r / 6 + r * r * r * r / 15);
  return 2 * arc_tangent(r) / kPi - logarithm(1 + r * r) / (kPi * r);
}

}  // namespace sosie
