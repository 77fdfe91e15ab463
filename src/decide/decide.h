#pragma once

#include <functional>
#include <span>
#include <vector>

#include "data/clusters.h"
#include "decide/decisions.h"
#include "decide/reuse.h"
#include "join/sets/set_run.h"

namespace sosie {

// Star clustering of the items that the run holds; `within`: as in StarSteps.
using StarOfRun = std::function<Clusters(SetRun& run, bool within)>;

// Result of matching a component of shared buckets part by part.
struct LargeComponent {
  std::uint64_t rows = 0;
  std::uint64_t own_rows = 0;  // rows of the run, without --against
  std::uint64_t survivors = 0;
  std::vector<RowNumber> largest;  // survivors of its largest groups of two or more, at most 20
};

// Star clustering of one component in bounded memory: windows of its rows in rank order, each
// against the survivors before it, a part of them at a time in rank order, then within itself. So
// the first match of a row is the one it has when all are in memory. Quadratic in the number of
// windows where nearly all rows survive. `rows` in input order; `cluster` groups the items that
// the run holds. Throws Error{io}.
[[nodiscard]] LargeComponent decide_large_component(SetRun& run, std::vector<RowNumber> rows,
                                                    const StarOfRun& star,
                                                    SpilledDecisions& decisions);

// Says of a row of the run's own, and of its copies elsewhere, what was decided; rows[r] is the
// run's row that is row r in its batch.
void record_decision(const SetRun& run, std::span<const RowNumber> rows, RowId row,
                     const Decisions& decisions, SpilledDecisions& out);

struct DecisionObserver {
  // Looks at what was decided while the run's items and matcher are there: once, or once for each
  // batch of a run whose rows are in scratch. rows[r] is the run's row that is row r there; no
  // `rows`: r is.
  std::function<void(const Decisions& decisions, std::span<const RowNumber> rows)> at_batch;
  // Looks at a batch that was too large for that.
  std::function<void(const LargeComponent& component)> at_large;
};

// The run as a reused file is about it. The run outlives it.
[[nodiscard]] ReuseSource reuse_source(const SetRun& run);

// Groups the rows as --clustering says and decides which of each group is kept: from what the
// matcher finds, or from `reused` if it is not null.
[[nodiscard]] Decisions decide(SetRun& run, ReusedFile* reused, const DecisionObserver& look = {});

}  // namespace sosie
