// Keys of bands and bits of sketches from function values.
#include "sketch/keys_of_cells.h"

#include <algorithm>
#include <bit>

#include "core/mix64.h"

namespace sosie {
namespace {

constexpr std::size_t kKeyWordBits = 64;

std::uint64_t of_band(std::size_t band) noexcept { return 0x9E3779B97F4A7C15ULL * (band + 1); }

std::uint32_t key_of(std::uint64_t hash) noexcept {
  return static_cast<std::uint32_t>(mix64(hash) >> 32);
}

}  // namespace

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
