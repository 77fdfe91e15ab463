#pragma once

#include <vector>

#include "join/sets/set_run.h"

namespace sosie {

// Puts the run's own rows, which are in scratch and come in input order, in the order of --keep.
// `part` rows at a time are sorted in memory, and merged.
void sort_by_rank(const SetRun& run, std::size_t part, std::vector<RowNumber>& rows);

}  // namespace sosie
