// Band keys and filter signatures from minhash signatures.
#include "sketch/band_keys.h"

#include "core/mix64.h"

namespace sosie {
namespace {

std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) noexcept {
  const Product128 product = multiply128(a, b);
  return product.low ^ product.high;
}

}  // namespace

void band_keys(std::span<const std::uint32_t> signature, int rows, std::span<std::uint64_t> keys) {
  const auto r = static_cast<std::size_t>(rows);
  for (std::size_t band = 0; band < keys.size(); ++band) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL * (band + 1);
    for (const std::uint32_t component : signature.subspan(band * r, r)) {
      hash = fold_multiply(hash ^ component, 0xD6E8FEB86659FD93ULL);
    }
    keys[band] = mix64(hash) >> (64 - kBandKeyBits);
  }
}

void filter_signature(std::span<const std::uint32_t> signature, std::span<std::uint8_t> filter) {
  for (std::size_t i = 0; i < signature.size(); ++i) {
    filter[i] = static_cast<std::uint8_t>((signature[i] * 0x9E3779B1U) >> 24);
  }
}

}  // namespace sosie
