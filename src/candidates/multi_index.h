#pragma once

#include <cstddef>

#include "core/thread_pool.h"
#include "data/banded_rows.h"
#include "data/columns.h"

namespace sosie {

// Bit strings as rows of which find_candidates() hands over every pair within a Hamming distance,
// and no other: of radius + 1 blocks of bits, strings that differ in no more than `radius` places
// agree in at least one (the pigeonhole principle). A block is a band, a string is its own sketch.
// Source: Norouzi, Punjani, Fleet, CVPR 2012. Memory: four bytes a row and block. The column
// outlives what is returned, which has these blocks alone.
[[nodiscard]] BandedRows multi_index(const BitColumn& column, std::size_t radius,
                                     const BandRange& blocks, ThreadPool& pool);
[[nodiscard]] std::size_t block_count(const BitColumn& column, std::size_t radius) noexcept;

// About how many pairs agree in a block, added up over blocks, from rows that the column alone
// decides. Counting stops once there are more than `most`.
[[nodiscard]] double expected_block_pairs(const BitColumn& column, std::size_t radius, double most);

}  // namespace sosie
