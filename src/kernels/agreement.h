#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// For each of `count` rows, rows[which[i] * bytes ...], counts the bytes that equal the
// corresponding bytes of `one`. Processes a whole batch, because selecting the instruction set for
// every pair would take a third of the time.
void agreements(const std::uint8_t* one, const std::uint8_t* rows, std::size_t bytes,
                const std::uint32_t* which, std::size_t count, std::uint32_t* out) noexcept;

// Counts the bits that differ between rows of `words` 64-bit words. Arguments are as for
// agreements().
void hamming_distances(const std::uint64_t* one, const std::uint64_t* rows, std::size_t words,
                       const std::uint32_t* which, std::size_t count, std::uint32_t* out) noexcept;

}  // namespace sosie::kernels
