#pragma once

#include "data/clusters.h"
#include "decide/decisions.h"
#include "join/sets/set_run.h"

namespace sosie {

// Groups the items of a run by a measure that holds one way, as contained_star() does. Says how
// many rows stay although they contain rows of --against.
[[nodiscard]] Clusters contained_clusters(SetRun& run);

// Decisions of `dedup --against OTHER --contained S`: a row goes if it holds an item of OTHER to
// the part S of the item's shingles, in favour of the item that it holds most of (ties: the first
// one). Scores are of that item (left) and the row. All other rows stay, copies of each other too.
[[nodiscard]] Decisions remove_holders(SetRun& run);

// Makes the decisions of either about rows in scratch that the run joins. In memory are a few bits
// a row, and without --contained what check_contained_rows() allows.
[[nodiscard]] Decisions decide_joined_rows(SetRun& run);

// Throws Error{limit_exceeded} when so many rows that contain others or are contained, of 32 bytes
// each, do not fit.
void check_contained_rows(std::uint64_t rows, const Settings& settings);

}  // namespace sosie
