#pragma once

#include <cstdint>

namespace sosie {

// Returns `bytes`, the size of the pieces in which compressed files are decompressed, cached or
// scanned, divided by the number in the environment variable SOSIE_DIVIDE_PIECES (1 to 128). Tests
// set this variable so that small files exceed such sizes. Results do not depend on it. A power of
// two stays a power of two.
[[nodiscard]] std::uint64_t piece_size(std::uint64_t bytes) noexcept;

// Sets the divisor in place of the environment variable. Must be called before any run.
void divide_piece_sizes(unsigned long divisor) noexcept;

}  // namespace sosie
