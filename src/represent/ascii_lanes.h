#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Eight bytes of text at once in one integer, the first byte lowest. A flag is the top bit of its
// lane. Nothing carries from lane to lane, because sums are over lanes without their top bit.
namespace sosie::lanes {

inline constexpr std::uint64_t kTopBits = 0x8080808080808080ULL;

[[nodiscard]] constexpr std::uint64_t in_every_lane(std::uint64_t byte) noexcept {
  return byte * 0x0101010101010101ULL;
}

[[nodiscard]] inline std::uint64_t load(const unsigned char* at) noexcept {
  std::uint64_t eight = 0;
  std::memcpy(&eight, at, sizeof eight);
  if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
  return eight;
}

inline void store(std::uint64_t eight, char* at) noexcept {
  if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
  std::memcpy(at, &eight, sizeof eight);
}

// Flags the ASCII bytes from `first` to `last`.
[[nodiscard]] constexpr std::uint64_t flag_range(std::uint64_t eight, unsigned char first,
                                                 unsigned char last) noexcept {
  const std::uint64_t seven_bits = eight & ~kTopBits;
  const std::uint64_t at_least_first = seven_bits + in_every_lane(0x80U - first);
  const std::uint64_t above_last = seven_bits + in_every_lane(0x7FU - last);
  return at_least_first & ~above_last & ~eight & kTopBits;
}

// A-Z become a-z; all other bytes stay.
[[nodiscard]] constexpr std::uint64_t to_lower(std::uint64_t eight) noexcept {
  return eight | flag_range(eight, 'A', 'Z') >> 2;
}

// Flags [0-9a-z_] and bytes >= 0x80, after to_lower.
[[nodiscard]] constexpr std::uint64_t flag_word_bytes(std::uint64_t lower) noexcept {
  return flag_range(lower, 'a', 'z') | flag_range(lower, '0', '9') | flag_range(lower, '_', '_') |
         (lower & kTopBits);
}

// Flags [ \t\n\v\f\r] and NUL.
[[nodiscard]] constexpr std::uint64_t flag_blanks(std::uint64_t eight) noexcept {
  return flag_range(eight, '\t', '\r') | flag_range(eight, ' ', ' ') | flag_range(eight, 0, 0);
}

// 0xFF in each flagged lane, 0 in the others.
[[nodiscard]] constexpr std::uint64_t fill(std::uint64_t flags) noexcept {
  return (flags >> 7) * 0xFF;
}

// One bit a lane, the first byte's lowest.
[[nodiscard]] constexpr std::uint64_t gather(std::uint64_t flags) noexcept {
  return (flags >> 7) * 0x0102040810204080ULL >> 56;
}

// All bits of the first `count` lanes, count in 1..8.
[[nodiscard]] constexpr std::uint64_t first_lanes(std::size_t count) noexcept {
  return ~std::uint64_t{0} >> (64 - 8 * count);
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
