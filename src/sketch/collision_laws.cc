// Collision probabilities of minhash, bit sampling, hyperplanes, cross-polytopes and segments.
#include "sketch/collision_laws.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "core/real_functions.h"

namespace sosie {
namespace {

// Below this, the closed forms subtract nearly equal numbers; three terms of their series in r are
// accurate to 1e-12.
constexpr double kSmall = 0.01;

// At 0, 1, ..., 180 degrees; computed by tools/cross_polytope_law.py, which describes the method.
constexpr std::array<double, 181> kByDegrees = {
    1.000000000, 0.979663531, 0.959561816, 0.939693936, 0.920058999, 0.900656143, 0.881484532,
    0.862543360, 0.843831842, 0.825349223, 0.807094769, 0.789067769, 0.771267535, 0.753693399,
    0.736344716, 0.719220858, 0.702321214, 0.685645193, 0.669192220, 0.652961735, 0.636953192,
    0.621166058, 0.605599814, 0.590253951, 0.575127973, 0.560221389, 0.545533721, 0.531064494,
    0.516813244, 0.502779508, 0.488962829, 0.475362754, 0.461978831, 0.448810610, 0.435857640,
    0.423119469, 0.410595644, 0.398285709, 0.386189204, 0.374305661, 0.362634609, 0.351175568,
    0.339928048, 0.328891551, 0.318065564, 0.307449563, 0.297043009, 0.286845345, 0.276855996,
    0.267074366, 0.257499836, 0.248131762, 0.238969471, 0.230012262, 0.221259399, 0.212710109,
    0.204363583, 0.196218966, 0.188275361, 0.180531820, 0.172987344, 0.165640876, 0.158491301,
    0.151537444, 0.144778059, 0.138211834, 0.131837381, 0.125653240, 0.119657866, 0.113849636,
    0.108226839, 0.102787678, 0.097530264, 0.092452616, 0.087552659, 0.082828222, 0.078277036,
    0.073896736, 0.069684855, 0.065638831, 0.061756001, 0.058033606, 0.054468788, 0.051058596,
    0.047799985, 0.044689821, 0.041724879, 0.038901852, 0.036217352, 0.033667913, 0.031250000,
    0.028960008, 0.026794274, 0.024749077, 0.022820647, 0.021005174, 0.019298809, 0.017697677,
    0.016197880, 0.014795508, 0.013486645, 0.012267377, 0.011133802, 0.010082035, 0.009108219,
    0.008208534, 0.007379200, 0.006616492, 0.005916742, 0.005276350, 0.004691792, 0.004159625,
    0.003676492, 0.003239135, 0.002844394, 0.002489218, 0.002170666, 0.001885911, 0.001632250,
    0.001407098, 0.001208000, 0.001032626, 0.000878774, 0.000744372, 0.000627478, 0.000526277,
    0.000439080, 0.000364325, 0.000300569, 0.000246492, 0.000200883, 0.000162646, 0.000130790,
    0.000104422, 0.000082746, 0.000065056, 0.000050727, 0.000039212, 0.000030036, 0.000022787,
    0.000017114, 0.000012717, 0.000009344, 0.000006785, 0.000004865, 0.000003442, 0.000002402,
    0.000001651, 0.000001117, 0.000000743, 0.000000485, 0.000000311, 0.000000195, 0.000000120,
    0.000000072, 0.000000042, 0.000000024, 0.000000013, 0.000000007, 0.000000004, 0.000000002,
    0.000000001, 0.000000000, 0.000000000, 0.000000000, 0.000000000, 0.000000000, 0.000000000,
    0.000000000, 0.000000000, 0.000000000, 0.000000000, 0.000000000, 0.000000000, 0.000000000,
    0.000000000, 0.000000000, 0.000000000, 0.000000000, 0.000000000, 0.000000000,
};

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

// Between two whole degrees, linear interpolation is accurate to 3e-5.
double cross_polytope_collision_law(double degrees) noexcept {
  if (degrees <= 0) return 1;
  if (degrees >= 180) return 0;
  const auto whole = static_cast<std::size_t>(degrees);
  const double part = degrees - static_cast<double>(whole);
  return kByDegrees[whole] + part * (kByDegrees[whole + 1] - kByDegrees[whole]);
}

}  // namespace sosie
