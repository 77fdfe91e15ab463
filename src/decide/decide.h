#pragma once

#include <functional>
#include <span>
#include <vector>

#include "data/clusters.h"
#include "decide/decisions.h"
#include "decide/reuse.h"
#include "join/sets/set_run.h"

namespace sosie {

// Star clustering of the items that the run currently holds. `within`: as in StarSteps.
using StarOfRun = std::function<Clusters(SetRun& run, bool within)>;

// The result of matching one component of shared buckets in several steps.
struct LargeComponent {
  std::uint64_t rows = 0;
  std::uint64_t own_rows = 0;  // rows of the run, without --against
  std::uint64_t survivors = 0;
  std::vector<RowNumber> largest;  // survivors of its largest groups of two or more, at most 20
};

// Star clustering of one component in bounded memory. Its rows are processed in windows in rank
// order. Each window is compared first with the earlier survivors, in batches in rank order, and
// then with itself. Each row therefore has the same first match as if all rows were in memory. If
// nearly all rows survive, the time is quadratic in the number of windows. `rows`: the
// batch's rows, in input order. `cluster`: groups the items that the run currently holds. Throws
// Error{io}.
[[nodiscard]] LargeComponent decide_large_component(SetRun& run, std::uint32_t batch,
                                                    std::vector<RowNumber> rows,
                                                    const StarOfRun& star,
                                                    SpilledDecisions& decisions);

// Records the decision on one of the run's own rows and on its copies outside the corpus. `rows`:
// if not empty, rows[r] is the run's number for row r of the batch.
void record_decision(const SetRun& run, std::span<const RowNumber> rows, RowId row,
                     const Decisions& decisions, SpilledDecisions& out);

struct DecisionObserver {
  // Called with the decisions while the run's items and matcher still exist: once or, if the run's
  // rows are in scratch, once per batch. rows[r] is the run's number for row r; if `rows` is empty,
  // the numbers are the same.
  std::function<void(const Decisions& decisions, std::span<const RowNumber> rows)> at_batch;
  // Called for a batch that was too large to be matched at once.
  std::function<void(const LargeComponent& component)> at_large;
};

// The run, in the form in which a reused file refers to it. The run must outlive the result.
[[nodiscard]] ReuseSource reuse_source(const SetRun& run);

// Groups the rows as --clustering specifies and decides which row in each group is kept, based on
// the pairs that the matcher finds or, if `reused` is not null, on that file.
[[nodiscard]] Decisions decide(SetRun& run, ReusedFile* reused, const DecisionObserver& look = {});

}  // namespace sosie
