#pragma once

#include <cstdint>

// Random numbers from the two stable distributions that projections need, accessed by index. They
// use neither libm nor std::*_distribution, so their bits are identical on every machine.
namespace sosie {

// The i-th standard normal number of a stream: the polar method of Marsaglia and Bray, 1964.
[[nodiscard]] double standard_normal(std::uint64_t seed, std::uint64_t i) noexcept;

// The i-th standard Cauchy number: the slope of a random direction.
[[nodiscard]] double standard_cauchy(std::uint64_t seed, std::uint64_t i) noexcept;

// The i-th uniform number in the open interval (0, 1).
[[nodiscard]] double uniform_number(std::uint64_t seed, std::uint64_t i) noexcept;

}  // namespace sosie
