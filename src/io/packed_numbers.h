#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sosie {

// Maximum width, in bits, of a number that can be written or read at once.
inline constexpr unsigned kMostPackedBits = 56;

// Writes numbers of given bit widths one after another, lowest bits first.
class BitWriter {
 public:
  // `out`: must have space for all numbers and 8 more bytes.
  explicit BitWriter(char* out) noexcept : out_(out) {}

  // Appends a number of up to kMostPackedBits bits.
  void add(std::uint64_t number, unsigned width) noexcept {
    held_ |= number << held_bits_;
    held_bits_ += width;
    std::memcpy(out_, &held_, sizeof held_);
    const unsigned whole = held_bits_ / 8;
    out_ += whole;
    held_ = whole < sizeof held_ ? held_ >> 8 * whole : 0;
    held_bits_ -= 8 * whole;
  }

 private:
  char* out_;
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;  // fewer than 8 between calls
};

// The number of `width` bits (up to kMostPackedBits) at bit `bit`; bits after the end are zero.
[[nodiscard]] inline std::uint64_t packed_number(std::string_view bytes, std::size_t bit,
                                                 unsigned width) noexcept {
  const std::size_t byte = bit / 8;
  if (width == 0 || byte >= bytes.size()) return 0;
  std::uint64_t word = 0;
  if (bytes.size() - byte >= sizeof word) {
    std::memcpy(&word, bytes.data() + byte, sizeof word);
  } else {
    std::memcpy(&word, bytes.data() + byte, bytes.size() - byte);
  }
  return word >> bit % 8 & ((std::uint64_t{1} << width) - 1);
}

}  // namespace sosie
