#pragma once

#include "join/sets/set_run.h"
#include "store/part_verdicts.h"

namespace sosie {

// Matches one part of the keys of a run whose rows were sketched: star clustering of the rows that
// share one of them. A pair that shares keys of several parts is compared by the part of its first
// one; the others expect the verdict that the signatures foretell. Comparisons that clustering of
// all rows asks for besides are left to the run that brings the parts together, so a forecast
// decides no result. The same for any number of threads.
[[nodiscard]] PartVerdicts match_part(SetRun& run, const MatchPart& part);

}  // namespace sosie
