#pragma once

#include "decide/decisions.h"
#include "join/sets/set_run.h"

namespace sosie {

// Decisions of `dedup --against OTHER --contained S`: a row goes if it holds an item of OTHER to
// the part S of the item's shingles, in favour of the item that it holds most of (ties: the first
// one). Scores are of that item (left) and the row. All other rows stay, copies of each other too.
[[nodiscard]] Decisions remove_holders(SetRun& run);

}  // namespace sosie
