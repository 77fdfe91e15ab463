#pragma once

#include <cstdint>

namespace sosie {

// `bytes`, a size of pieces in which compressed files are decompressed, cached or scanned, divided
// by the number in the environment variable SOSIE_DIVIDE_PIECES (1 to 128). Tests use it to let
// small files cross these sizes. No result depends on them. A power of two stays a power of two.
[[nodiscard]] std::uint64_t piece_size(std::uint64_t bytes) noexcept;

// Sets the divisor instead of the environment variable. Call it before any run.
void divide_piece_sizes(unsigned long divisor) noexcept;

}  // namespace sosie
