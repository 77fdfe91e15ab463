#pragma once

namespace sosie {

// For tests: divides the sizes in which packed files are unpacked, kept at hand and scanned by
// `divisor`, from 1 to 128, so that small files cross each of them. No result depends on these
// sizes. To be called before any run.
void divide_piece_sizes(unsigned long divisor) noexcept;

}  // namespace sosie
