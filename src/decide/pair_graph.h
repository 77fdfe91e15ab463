#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/memory_budget.h"
#include "data/clusters.h"
#include "decide/pair_file.h"
#include "join/pair_selection.h"

namespace sosie {

// The items that a pairs file names, and its pairs as pairs of places.
struct PairGraph {
  std::vector<std::string> ids;  // by place
  std::unique_ptr<SortedPairs<VerifiedPair>> pairs;
  std::uint64_t pair_count = 0;
};

// Reads the pairs and ranks their items: items of the left column in the order they come, then all
// others likewise. In a file sorted by (left, right), as `sosie pairs` writes it, every item then
// ranks before its later partners as it does in the input, which is all that clustering asks of the
// order: the groups equal the groups of dedup with --keep first. Ids lie in memory: throws
// Error{limit_exceeded} when they take more than half of budget.bytes. Pairs take no more than its
// share for sorts, and the rest is in scratch.
[[nodiscard]] PairGraph read_pair_graph(PairFile& file, Scratch& scratch,
                                        const MemoryBudget& budget);

}  // namespace sosie
