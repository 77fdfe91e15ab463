#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// Number of bits in a band key. With ten million documents, each band then has a few false bucket
// members, which verification removes.
inline constexpr int kBandKeyBits = 40;

// keys[i] = a hash of rows [i*r, (i+1)*r) of the signature, below 2^kBandKeyBits; equal values give
// different keys in different bands. keys.size() is b, and b * r <= signature.size().
void band_keys(std::span<const std::uint32_t> signature, int rows, std::span<std::uint64_t> keys);

// The signature reduced to 8 bits per component. Components are mixed first, because their low bits
// identify the bin and would agree even between unrelated sets.
void filter_signature(std::span<const std::uint32_t> signature, std::span<std::uint8_t> filter);

// Turns values of the functions of a locality-sensitive family into band keys and sketch bits.

// Reads values that are packed bits: `size` of them (1 to 64) starting at position `begin`, with
// the first one lowest.
[[nodiscard]] std::uint64_t bits_from(std::span<const std::uint64_t> words, std::size_t begin,
                                      std::size_t size) noexcept;

// keys[i] = a hash of values [i*r, (i+1)*r), counted from value `begin`: the key of band first_band
// + i. Equal values give different keys in different bands. r is 1 to 64; all these values must
// exist.
void keys_of_bits(std::span<const std::uint64_t> words, std::size_t rows,
                  std::span<std::uint32_t> keys, std::size_t first_band = 0,
                  std::size_t begin = 0) noexcept;

// Computes the keys of cells on lines: integral doubles without negative zeros.
void keys_of_cells(std::span<const double> cells, std::size_t rows, std::span<std::uint32_t> keys,
                   std::size_t first_band = 0) noexcept;

// Computes one bit per cell: equal cells give equal bits, different cells do so in half of all
// cases. There must be as many cells as bits; words[0] is word first_word of the sketch.
void sketch_of_cells(std::span<const double> cells, std::span<std::uint64_t> words,
                     std::size_t first_word = 0) noexcept;

}  // namespace sosie
