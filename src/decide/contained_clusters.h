#pragma once

#include "data/clusters.h"
#include "decide/decisions.h"
#include "join/sets/set_run.h"

namespace sosie {

// Groups a run's items by an ordered measure, as contained_star() does. Reports the number of rows
// that are kept although they contain rows of --against.
[[nodiscard]] Clusters contained_clusters(SetRun& run);

// Decisions of `dedup --against OTHER --contained S`: a row is removed if it contains at least the
// share S of the shingles of an item of OTHER. Its survivor is the item of which it contains the
// largest share (ties: the first); its score compares that item (left) with the row. All other rows
// are kept, including copies of each other.
[[nodiscard]] Decisions remove_holders(SetRun& run);

// Makes the same decisions as either function above for rows in scratch that the run joins. Needs a
// few bits of memory per row and, without --contained, as much as check_contained_rows() allows.
[[nodiscard]] Decisions decide_joined_rows(SetRun& run);

// Throws Error{limit_exceeded} if this many rows that contain others or are contained, at 32 bytes
// each, do not fit in memory.
void check_contained_rows(std::uint64_t rows, const Settings& settings);

}  // namespace sosie
