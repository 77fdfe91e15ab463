#pragma once

#include "join/run.h"
#include "report/pair_table.h"

namespace sosie {

// Prepares the run, writes all its similar rows as the options say, and the side files: what the
// verbs that list pairs have in common. Throws Error{limit_exceeded} for more than options.limit.
[[nodiscard]] RunReport write_similar_rows(Run& run, PairOrder order);

}  // namespace sosie
