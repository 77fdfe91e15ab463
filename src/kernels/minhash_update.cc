#include "kernels/minhash_update.h"

#include <algorithm>

namespace sosie::kernels {

void minhash_values(const std::uint64_t* shingles, std::size_t count, std::uint64_t multiplier,
                    std::uint32_t* values) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<std::uint32_t>((shingles[i] * multiplier) >> 32);
  }
}

void minhash_bins(const std::uint32_t* values, std::size_t count, std::uint32_t* bins,
                  std::size_t bin_count) noexcept {
  const std::uint32_t mask = static_cast<std::uint32_t>(bin_count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t value = values[i];
    std::uint32_t& bin = bins[value & mask];
    bin = std::min(bin, value);
  }
}

std::uint32_t minhash_affine(const std::uint32_t* values, std::size_t count, std::uint32_t a,
                             std::uint32_t b) noexcept {
  std::uint32_t least = kEmptyBin;
  for (std::size_t i = 0; i < count; ++i) least = std::min(least, a * values[i] + b);
  return least;
}

}  // namespace sosie::kernels
