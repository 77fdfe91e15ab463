// Takes the sets of a run's items out of the scanned blocks.
#include "join/sets/gather_sets.h"

#include <algorithm>

namespace sosie {

std::uint64_t element_count(const Corpus& corpus) {
  std::uint64_t count = 0;
  for (const ScannedBlock& block : corpus.blocks) count += block.sets.hashes.size();
  return count;
}

HashedSets gather_sets(Corpus& corpus, const Items& items, ThreadPool& pool) {
  HashedSets sets;
  sets.starts.reserve(items.rows.size() + 1);
  for (const RowId row : items.rows) {
    const ScannedBlock& block = corpus.block_of(row);
    const std::size_t i = row - block.first_row;
    sets.starts.push_back(sets.starts.back() + block.sets.starts[i + 1] - block.sets.starts[i]);
  }
  sets.hashes.resize(sets.starts.back());
  pool.for_each(corpus.blocks.size(), [&](unsigned, std::size_t at) {
    ScannedBlock& block = corpus.blocks[at];
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const RowId row = block.first_row + static_cast<RowId>(i);
      const Place place = items.place_of[row];
      if (place == kNoPlace || items.rows[place] != row) continue;
      std::copy(block.sets.hashes.begin() + static_cast<std::ptrdiff_t>(block.sets.starts[i]),
                block.sets.hashes.begin() + static_cast<std::ptrdiff_t>(block.sets.starts[i + 1]),
                sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[place]));
    }
    block.sets = {};
  });
  return sets;
}

}  // namespace sosie
