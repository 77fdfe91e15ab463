#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

// Integer hashes that are part of the recipe; kernels/hash_bytes.h hashes bytes. Results depend on
// them, so tests pin every constant with golden values, and a change requires a new recipe version
// (kRecipeVersion, CHANGELOG.md).
namespace sosie {

inline constexpr int kRecipeVersion = 1;

// A bijection of 64-bit integers (the finaliser of SplitMix64, Steele et al. 2014).
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// The i-th output of a SplitMix64 stream, accessed directly and without state.
[[nodiscard]] constexpr std::uint64_t random64(std::uint64_t seed, std::uint64_t i) noexcept {
  return mix64(seed + (i + 1) * 0x9E3779B97F4A7C15ULL);
}

struct Product128 {
  std::uint64_t low;
  std::uint64_t high;
};

[[nodiscard]] constexpr Product128 multiply128(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
}

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

}  // namespace sosie
