// Keys of bands from minhash signatures and from values of other functions, and filter signatures.
#include "sketch/band_keys.h"

#include <algorithm>
#include <bit>

#include "core/mix64.h"

namespace sosie {
namespace {

std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) noexcept {
  const Product128 product = multiply128(a, b);
  return product.low ^ product.high;
}

constexpr std::size_t kKeyWordBits = 64;

std::uint64_t of_band(std::size_t band) noexcept { return 0x9E3779B97F4A7C15ULL * (band + 1); }

std::uint32_t key_of(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(mix64(hash) >> 32);
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

std::uint64_t bits_from(std::span<const std::uint64_t> words, std::size_t begin,
                        std::size_t size) noexcept {
  const std::size_t word = begin / kKeyWordBits;
  const std::size_t shift = begin % kKeyWordBits;
  std::uint64_t bits = words[word] >> shift;
  if (shift + size > kKeyWordBits) bits |= words[word + 1] << (kKeyWordBits - shift);
  return size == kKeyWordBits ? bits : bits & ((std::uint64_t{1} << size) - 1);
}

void keys_of_bits(std::span<const std::uint64_t> words, std::size_t rows,
                  std::span<std::uint32_t> keys, std::size_t first_band,
                  std::size_t begin) noexcept {
  for (std::size_t band = 0; band < keys.size(); ++band) {
    keys[band] =
        key_of(mix64(of_band(first_band + band)) ^ bits_from(words, begin + band * rows, rows));
  }
}

void keys_of_cells(std::span<const double> cells, std::size_t rows, std::span<std::uint32_t> keys,
                   std::size_t first_band) noexcept {
  for (std::size_t band = 0; band < keys.size(); ++band) {
    std::uint64_t hash = of_band(first_band + band);
    for (const double cell : cells.subspan(band * rows, rows)) {
      hash = mix64(hash ^ std::bit_cast<std::uint64_t>(cell));
    }
    keys[band] = key_of(hash);
  }
}

void sketch_of_cells(std::span<const double> cells, std::span<std::uint64_t> words,
                     std::size_t first_word) noexcept {
  std::fill(words.begin(), words.end(), 0);
  for (std::size_t i = 0; i < words.size() * kKeyWordBits; ++i) {
    const std::uint64_t hash =
        mix64(of_band(first_word * kKeyWordBits + i) ^ std::bit_cast<std::uint64_t>(cells[i]));
    words[i / kKeyWordBits] |= (hash & 1) << (i % kKeyWordBits);
  }
}

}  // namespace sosie
