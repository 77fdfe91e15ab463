#pragma once

#include <cstdint>

namespace sosie {

// The overlap of two sets in integers, so that every decision and every printed value is based on
// an exact fraction.
struct Overlap {
  std::uint32_t shared = 0;  // |A and B|
  std::uint32_t united = 0;  // |A or B|
  std::uint32_t left = 0;    // |A|; used only by measures that distinguish the sizes

  [[nodiscard]] std::uint32_t right() const noexcept { return united + shared - left; }  // |B|
  [[nodiscard]] Overlap flipped() const noexcept { return {shared, united, right()}; }

  // |A and B| / |A or B|; two empty sets are 1 by convention (THEORY section 1).
  [[nodiscard]] double jaccard() const noexcept {
    return united == 0 ? 1.0 : static_cast<double>(shared) / static_cast<double>(united);
  }
  friend bool operator==(const Overlap&, const Overlap&) = default;
};

}  // namespace sosie
