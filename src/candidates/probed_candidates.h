#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "candidates/banded_join.h"
#include "data/banded_rows.h"
#include "kernels/near_sketches.h"

namespace sosie {

// find_candidates() for rows with cells. One band at a time, rows are ordered by the keys of their
// own cells, and each row is looked up under every combination of cells that it is near. Memory:
// grouped_row_bytes() for each row, for each band in memory.
void find_probed_candidates(const BandedJoin& join, ThreadPool& pool,
                            const std::function<void(std::span<const CandidatePair> pairs)>& each);

// Copies the sketches of `count` rows of a table into consecutive blocks for
// kernels::near_sketches(). Sketch number i belongs to row_at(i). Resizes `out` to a whole number
// of blocks.
template <typename RowAt>
void lay_out_sketches(const BandedRows& table, std::size_t count, const RowAt& row_at,
                      std::vector<std::uint64_t>& out) {
  constexpr std::size_t kBlock = kernels::kSketchBlock;
  const std::size_t words = table.sketch_words;
  out.resize((count + kBlock - 1) / kBlock * kBlock * words);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t* sketch = table.sketch_of(row_at(i));
    const std::size_t to = i / kBlock * kBlock * words + i % kBlock;
    for (std::size_t w = 0; w < words; ++w) out[to + w * kBlock] = sketch[w];
  }
}

}  // namespace sosie
