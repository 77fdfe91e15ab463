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

// 64-bit hash of `size` bytes at p: two folded 64x64 multiplications per 16 bytes (the construction
// of wyhash). Reads 8 bytes at a time: p must have 8 readable bytes after its end when size < 8.
// Without branches up to 16 bytes, since the lengths of words cannot be predicted.
[[nodiscard]] inline std::uint64_t hash_bytes(const char* p, std::size_t size) noexcept {
  constexpr std::uint64_t kA = 0xA0761D6478BD642FULL;
  constexpr std::uint64_t kB = 0xE7037ED1A0B428DBULL;
  constexpr std::uint64_t kC = 0x8EBC6AF09C88C6E3ULL;
  std::uint64_t state = size * kC;
  while (size > 16) {
    state = fold_multiply(load64(p) ^ kA ^ state, load64(p + 8) ^ kB);
    p += 16;
    size -= 16;
  }
  const std::size_t head = size < 8 ? size : 8;
  // All ones from 8 bytes on, none for no byte: shifted twice, as a shift by 64 is undefined.
  const std::uint64_t head_mask = ~(~std::uint64_t{0} << (4 * head) << (4 * head));
  const std::uint64_t tail_mask = size < 8 ? 0 : ~std::uint64_t{0};
  const std::uint64_t first = load64(p) & head_mask;
  const std::uint64_t last = load64(p + (size - head)) & tail_mask;
  const Product128 product = multiply128(first ^ kA ^ state, last ^ kB);
  return fold_multiply(product.low ^ kC ^ state, product.high ^ kA);
}

}  // namespace sosie
