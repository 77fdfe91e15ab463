#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash64.h"

namespace sosie::kernels {

// Folds ASCII text for character shingles: A-Z are lower-cased, every run of [ \t\n\v\f\r] and NUL
// becomes one blank, none when `after_blank` says that one stands before `out`. Bytes >= 0x80 stay.
// Returns how many bytes were written and sets `after_blank` for what follows; 63 bytes behind `in`
// may be read and behind what is written may be changed.
std::size_t fold_ascii_chars(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                             bool& after_blank) noexcept;

// The hash of one character shingle of `size` bytes, 1 to 256. Reads 8 bytes when size < 8. Its
// steps are those that a vector can take for eight places of a text at once: 64-bit products and
// shifts only.
[[nodiscard]] inline std::uint64_t hash_window(const std::uint8_t* p, std::size_t size) noexcept {
  constexpr std::uint64_t kFirst = 0x9FB21C651E98DF25ULL;
  constexpr std::uint64_t kLast = 0xBF58476D1CE4E5B9ULL;
  constexpr std::uint64_t kFinal = 0x94D049BB133111EBULL;
  const std::uint64_t mask = size < 8 ? ~(~std::uint64_t{0} << 8 * size) : ~std::uint64_t{0};
  std::uint64_t h = ((load64(p) & mask) ^ size * 0x9E3779B97F4A7C15ULL) * kFirst;
  h ^= h >> 32;
  std::size_t at = 8;
  for (; at + 8 < size; at += 8) {
    h = (h ^ load64(p + at)) * kFirst;
    h ^= h >> 32;
  }
  if (size > 8) {
    h = (h ^ load64(p + size - 8)) * kLast;
    h ^= h >> 32;
  }
  h *= kFinal;
  return h ^ h >> 29;
}

// out[i] = hash_window(text + i, size), count of them. 31 bytes behind the last window may be read.
void hash_windows(const std::uint8_t* text, std::size_t count, std::size_t size,
                  std::uint64_t* out) noexcept;

}  // namespace sosie::kernels
