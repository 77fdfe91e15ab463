#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// The hash functions of the recipe. They decide results: every constant is pinned by golden values
// in hash64_test.cc, and a change is a new recipe version (kRecipeVersion, CHANGELOG.md).
namespace sosie {

inline constexpr int kRecipeVersion = 1;

// A bijection of 64-bit integers (the finaliser of SplitMix64, Steele et al. 2014).
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// The i-th output of a SplitMix64 stream: random access, no state.
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

[[nodiscard]] constexpr std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) noexcept {
  const Product128 product = multiply128(a, b);
  return product.low ^ product.high;
}

inline std::uint64_t load64(const void* p) noexcept {
  std::uint64_t x = 0;
  std::memcpy(&x, p, sizeof x);
  return x;
}

// The multipliers of hash_bytes().
inline constexpr std::uint64_t kHashSize = 0x9E3779B97F4A7C15ULL;
inline constexpr std::uint64_t kHashFirst = 0x9FB21C651E98DF25ULL;
inline constexpr std::uint64_t kHashLast = 0xBF58476D1CE4E5B9ULL;
inline constexpr std::uint64_t kHashFinal = 0x94D049BB133111EBULL;

// 64-bit hash of `size` bytes at p, 8 at a time. Its steps are those that a vector takes for eight
// words or places of a text at once (kernels/text_hashes.h): lower halves of products, and shifts.
// Each is a bijection, so texts of up to 8 bytes and equal size never meet. Reads 8 bytes when
// size < 8.
[[nodiscard]] inline std::uint64_t hash_bytes(const char* p, std::size_t size) noexcept {
  const std::uint64_t mask = size < 8 ? ~(~std::uint64_t{0} << 8 * size) : ~std::uint64_t{0};
  std::uint64_t h = ((load64(p) & mask) ^ size * kHashSize) * kHashFirst;
  h ^= h >> 32;
  for (std::size_t at = 8; at + 8 < size; at += 8) {
    h = (h ^ load64(p + at)) * kHashFirst;
    h ^= h >> 32;
  }
  if (size > 8) {
    h = (h ^ load64(p + size - 8)) * kHashLast;
    h ^= h >> 32;
  }
  h *= kHashFinal;
  return h ^ h >> 29;
}

}  // namespace sosie
