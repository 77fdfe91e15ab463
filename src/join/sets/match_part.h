#pragma once

#include "join/sets/set_run.h"
#include "store/part_verdicts.h"

namespace sosie {

// Matches one part of the keys of a run whose rows were sketched: star clustering of the rows that
// share one of them. A pair that shares keys of several parts is compared in the part of its first
// one; the other parts assume the verdict predicted by the signatures. Further comparisons needed
// for clustering all rows are left to the run that combines the parts, so a prediction affects no
// result. Does not depend on the number of threads.
[[nodiscard]] PartVerdicts match_part(SetRun& run, const MatchPart& part);

}  // namespace sosie
