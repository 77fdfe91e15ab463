#pragma once

#include <cstdint>

namespace sosie {

// `bytes`, a size in which packed files are unpacked, kept at hand or scanned; divided by the
// number in the environment variable SOSIE_DIVIDE_PIECES, from 1 to 128, by which tests let small
// files cross each of these sizes. No result depends on them. A power of two stays one.
[[nodiscard]] std::uint64_t piece_size(std::uint64_t bytes) noexcept;

// Takes the divisor in place of that of the environment. To be called before any run.
void divide_piece_sizes(unsigned long divisor) noexcept;

}  // namespace sosie
