#pragma once

#include <cstdint>

// Random numbers of the two stable distributions needed for projections, by index and without libm
// or std::*_distribution: identical bits on every machine.
namespace sosie {

// The i-th standard normal number of a stream: the polar method of Marsaglia and Bray, 1964.
[[nodiscard]] double standard_normal(std::uint64_t seed, std::uint64_t i) noexcept;

// The i-th standard Cauchy number: the slope of a random direction.
[[nodiscard]] double standard_cauchy(std::uint64_t seed, std::uint64_t i) noexcept;

// The i-th uniform number in the open interval (0, 1).
[[nodiscard]] double uniform_number(std::uint64_t seed, std::uint64_t i) noexcept;

}  // namespace sosie
