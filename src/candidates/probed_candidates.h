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

// find_candidates() where rows have cells: they stand in the order of the keys of their own cells,
// a band at a time, and each row is looked up under every choice of cells that it is near. Memory:
// for each row of a band that is there, as grouped_row_bytes() says.
void find_probed_candidates(const BandedJoin& join, ThreadPool& pool,
                            const std::function<void(std::span<const CandidatePair> pairs)>& each);

// Sketches of `count` rows of a table behind each other, as kernels::near_sketches() takes them:
// that of row_at(i) is number i. Resizes `out` to whole blocks.
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
