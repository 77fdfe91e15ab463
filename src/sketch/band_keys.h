#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// Band keys have this many bits; some false members of a bucket per band and ten million documents
// are dropped by verification.
inline constexpr int kBandKeyBits = 40;

// keys[i] = a hash of rows [i*r, (i+1)*r) of the signature, below 2^kBandKeyBits, different for
// equal values in different bands. keys.size() is b; b * r <= signature.size().
void band_keys(std::span<const std::uint32_t> signature, int rows, std::span<std::uint64_t> keys);

// The signature cut to 8 bits a component. The components are mixed first: their raw low bits name
// the bin and would agree between unrelated sets.
void filter_signature(std::span<const std::uint32_t> signature, std::span<std::uint8_t> filter);

// Values of the functions of a locality-sensitive family, made keys of bands and bits of sketches.

// Values that are bits, packed: `size` of them (1 to 64) from `begin` on, the first one lowest.
[[nodiscard]] std::uint64_t bits_from(std::span<const std::uint64_t> words, std::size_t begin,
                                      std::size_t size) noexcept;

// keys[i] = a hash of values [i*r, (i+1)*r) from value `begin` on, different for equal values in
// different bands: that of band first_band + i. r is 1 to 64; there are as many values.
void keys_of_bits(std::span<const std::uint64_t> words, std::size_t rows,
                  std::span<std::uint32_t> keys, std::size_t first_band = 0,
                  std::size_t begin = 0) noexcept;

// Makes keys of cells on lines: whole doubles, zeros not negative.
void keys_of_cells(std::span<const double> cells, std::size_t rows, std::span<std::uint32_t> keys,
                   std::size_t first_band = 0) noexcept;

// A bit for each cell: equal cells have equal bits, others half the time. As many cells as bits;
// words[0] is word first_word of the sketch.
void sketch_of_cells(std::span<const double> cells, std::span<std::uint64_t> words,
                     std::size_t first_word = 0) noexcept;

}  // namespace sosie
