#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// The hash of bytes that is part of the recipe (see core/mix64.h), so results depend on it.
namespace sosie {

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

// 64-bit hash of the `size` bytes at p, 8 bytes at a time. It uses only lower halves of products
// and shifts, so that it can be vectorised over eight words, or eight positions in a text
// (kernels/hash_words.h). Each step is a bijection, so different texts of the same size, up to 8
// bytes, never collide. Reads 8 bytes even if size < 8.
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
