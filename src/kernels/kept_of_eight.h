#pragma once

#include <array>
#include <cstdint>

namespace sosie::kernels {

// For each subset of eight bytes to keep: the source positions of its bytes, first to last.
struct KeptOfEight {
  std::array<std::array<std::uint8_t, 8>, 256> from{};
  constexpr KeptOfEight() {
    for (unsigned kept = 0; kept < 256; ++kept) {
      std::size_t count = 0;
      for (std::uint8_t i = 0; i < 8; ++i) {
        if ((kept >> i & 1U) != 0) from[kept][count++] = i;
      }
    }
  }
};
alignas(64) inline constexpr KeptOfEight kKeptOfEight;

// The byte shuffle that moves the kept values among four 32-bit values together.
struct KeptOfFour {
  std::array<std::array<std::uint8_t, 16>, 16> from{};
  constexpr KeptOfFour() {
    for (unsigned kept = 0; kept < 16; ++kept) {
      std::size_t count = 0;
      for (std::uint8_t i = 0; i < 16; ++i) {
        if ((kept >> (i / 4) & 1U) != 0) from[kept][count++] = i;
      }
    }
  }
};
alignas(64) inline constexpr KeptOfFour kKeptOfFour;

}  // namespace sosie::kernels
