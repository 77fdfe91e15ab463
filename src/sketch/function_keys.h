#pragma once

#include <cstdint>
#include <span>

// Values of the functions of a locality-sensitive family, made keys of bands and bits of sketches.
namespace sosie {

// Values that are bits, packed: `size` of them (1 to 64) from `begin` on, the first one lowest.
[[nodiscard]] std::uint64_t bits_from(std::span<const std::uint64_t> words, std::size_t begin,
                                      std::size_t size) noexcept;

// keys[i] = a hash of values [i*r, (i+1)*r), different for equal values in different bands. r is 1
// to 64, keys.size() is b; there are at least b * r values.
void keys_of_bits(std::span<const std::uint64_t> words, std::size_t rows,
                  std::span<std::uint32_t> keys) noexcept;

// The same of cells on lines: whole doubles, zeros not negative.
void keys_of_cells(std::span<const double> cells, std::size_t rows,
                   std::span<std::uint32_t> keys) noexcept;

// A bit for each cell: equal cells have equal bits, others half the time. As many cells as bits.
void sketch_of_cells(std::span<const double> cells, std::span<std::uint64_t> words) noexcept;

}  // namespace sosie
