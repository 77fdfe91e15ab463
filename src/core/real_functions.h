#pragma once

// Functions of real numbers that use only the four arithmetic operations and square roots, so that,
// unlike libm's, their results have identical bits on every machine. Errors stay below 1e-14
// (relative for exponential, absolute for the others); the tests compare the functions with libm.
namespace sosie {

inline constexpr double kPi = 3.14159265358979323846;

[[nodiscard]] double exponential(double x) noexcept;
// Natural logarithm of x > 0.
[[nodiscard]] double logarithm(double x) noexcept;
// In radians, for any x including infinities.
[[nodiscard]] double arc_tangent(double x) noexcept;
// In degrees, 0 to 180; x is clamped to [-1, 1].
[[nodiscard]] double arc_cosine_degrees(double x) noexcept;
// Probability that a standard normal variable lies in [0, x], for x >= 0.
[[nodiscard]] double normal_between_zero_and(double x) noexcept;

}  // namespace sosie
