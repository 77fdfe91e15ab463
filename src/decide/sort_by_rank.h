#pragma once

#include <vector>

#include "join/sets/set_run.h"

namespace sosie {

// Sorts the run's own rows, which are in scratch and given in input order, into the order of
// --keep. Sorts `part` rows at a time in memory, then merges the sorted parts.
void sort_by_rank(const SetRun& run, std::size_t part, std::vector<RowNumber>& rows);

}  // namespace sosie
