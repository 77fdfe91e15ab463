#pragma once

#include "join/sets/set_run.h"
#include "store/part_verdicts.h"

namespace sosie {

// Matches one part of the keys of a run whose rows were sketched, by star clustering of the rows
// that share one of these keys. A pair that shares keys of several parts is compared in the part
// that contains its first shared key; the other parts assume the verdict that the signatures
// predict. If clustering all rows needs further comparisons, they are left to the run that combines
// the parts, so that predictions do not affect the result. The result does not depend on the number
// of threads.
[[nodiscard]] PartVerdicts match_part(SetRun& run, const MatchPart& part);

}  // namespace sosie
