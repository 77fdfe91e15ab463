#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sosie {

// Bit strings of one length, row-major; the bits behind the last one of a row are 0.
struct BitColumn {
  std::size_t rows = 0;
  std::size_t bits = 0;             // bits of a row
  std::size_t words = 0;            // 64-bit words of a row
  std::vector<std::uint64_t> data;  // rows * words

  [[nodiscard]] const std::uint64_t* row(std::size_t i) const noexcept {
    return data.data() + i * words;
  }
};

// Beyond this, shared and united bits, multiplied with a threshold, would not fit 64 bits.
inline constexpr std::size_t kMostBits = std::size_t{1} << 24;

}  // namespace sosie
