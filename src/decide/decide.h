#pragma once

#include <functional>
#include <span>

#include "decide/decisions.h"
#include "decide/large_component.h"
#include "decide/reuse.h"
#include "join/sets/set_run.h"

namespace sosie {

struct DecisionObserver {
  // Looks at what was decided while the run's items and matcher are there: once, or once for each
  // batch of a run whose rows are in scratch. rows[r] is the run's row that is row r there; no
  // `rows`: r is.
  std::function<void(const Decisions& decisions, std::span<const RowId> rows)> at_batch;
  // Looks at a batch that was too large for that.
  std::function<void(const LargeComponent& component)> at_large;
};

// The run as a reused file is about it. The run outlives it.
[[nodiscard]] ReuseSource reuse_source(const SetRun& run);

// Groups the rows as --clustering says and decides which of each group is kept: from what the
// matcher finds, or from `reused` if it is not null.
[[nodiscard]] Decisions decide(SetRun& run, ReusedFile* reused, const DecisionObserver& look = {});

}  // namespace sosie
