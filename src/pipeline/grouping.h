#pragma once

#include "pipeline/decisions.h"
#include "pipeline/reuse.h"
#include "pipeline/run.h"

namespace sosie {

// Groups the rows as --clustering says and decides which of each group is kept: from what the
// matcher finds, or from `reused` if it is not null.
[[nodiscard]] Decisions decide(Run& run, ReusedFile* reused);

}  // namespace sosie
