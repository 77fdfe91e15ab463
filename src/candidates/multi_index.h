#pragma once

#include <cstddef>

#include "core/thread_pool.h"
#include "data/banded_rows.h"
#include "data/columns.h"

namespace sosie {

// Bit strings as rows for which find_candidates() reports exactly the pairs within a Hamming
// distance: with radius + 1 blocks of bits, strings that differ in at most `radius` positions agree
// in at least one block (the pigeonhole principle). A block is a band, and a string is its own
// sketch. Source: Norouzi, Punjani, Fleet, CVPR 2012. Memory: four bytes per row and block. The
// column must outlive the result, which has only these blocks.
[[nodiscard]] BandedRows multi_index(const BitColumn& column, std::size_t radius,
                                     const BandRange& blocks, ThreadPool& pool);
[[nodiscard]] std::size_t block_count(const BitColumn& column, std::size_t radius) noexcept;

// Estimated number of pairs that agree in a block, summed over blocks, from a sample that depends
// on the column alone. Counting stops above `most`.
[[nodiscard]] double expected_block_pairs(const BitColumn& column, std::size_t radius, double most);

}  // namespace sosie
