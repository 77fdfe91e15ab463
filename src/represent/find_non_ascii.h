#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Operations on eight bytes of text in one integer, the first byte lowest.
namespace sosie::lanes {

inline constexpr std::uint64_t kTopBits = 0x8080808080808080ULL;

[[nodiscard]] inline std::uint64_t load(const unsigned char* at) noexcept {
  std::uint64_t eight = 0;
  std::memcpy(&eight, at, sizeof eight);
  if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
  return eight;
}

// The first byte >= 0x80 in [at, end), or end. May read 31 bytes past end.
[[nodiscard]] inline const unsigned char* find_non_ascii(const unsigned char* at,
                                                         const unsigned char* end) noexcept {
  while (at < end && ((load(at) | load(at + 8) | load(at + 16) | load(at + 24)) & kTopBits) == 0) {
    at += 32;
  }
  while (at < end) {
    const std::uint64_t top_bits = load(at) & kTopBits;
    if (top_bits != 0) {
      at += std::countr_zero(top_bits) / 8;
      break;
    }
    at += 8;
  }
  return at < end ? at : end;
}

}  // namespace sosie::lanes
