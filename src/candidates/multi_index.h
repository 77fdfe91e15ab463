#pragma once

#include <cstddef>

#include "core/thread_pool.h"
#include "data/banded_rows.h"
#include "data/columns.h"

namespace sosie {

// Arranges bit strings as rows for which find_candidates() reports exactly the pairs within a
// Hamming distance. The bits are divided into radius + 1 blocks; strings that differ in at most
// `radius` positions agree in at least one block (the pigeonhole principle). Each block is a band,
// and each string is its own sketch. Source: Norouzi, Punjani, Fleet, CVPR 2012. Memory: four bytes
// per row and block. The result contains only these blocks and refers to `column`, which must
// outlive it.
[[nodiscard]] BandedRows multi_index(const BitColumn& column, std::size_t radius,
                                     const BandRange& blocks, ThreadPool& pool);
[[nodiscard]] std::size_t block_count(const BitColumn& column, std::size_t radius) noexcept;

// Estimated number of pairs that agree in a block, summed over all blocks, from a sample that
// depends only on the column. Stops counting above `most`.
[[nodiscard]] double expected_block_pairs(const BitColumn& column, std::size_t radius, double most);

}  // namespace sosie
