#pragma once

#include <functional>
#include <span>

#include "candidates/banded_join.h"

namespace sosie {

// find_candidates() where rows have cells: they stand in the order of the keys of their own cells,
// a band at a time, and each row is looked up under every choice of cells that it is near. Memory:
// for each row of a band that is there, as grouped_row_bytes() says.
void find_probed_candidates(const BandedJoin& join, ThreadPool& pool,
                            const std::function<void(std::span<const CandidatePair> pairs)>& each);

}  // namespace sosie
