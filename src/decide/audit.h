#pragma once

#include "data/run_summary.h"
#include "decide/decisions.h"
#include "join/sets/row_pair_collector.h"
#include "join/sets/set_run.h"

namespace sosie {

// Recall and precision of a run, measured on its own data (`--audit=N`): N of its documents are
// drawn, and all others stream past an inverted index of their shingles, which counts every overlap
// exactly. A true pair (similarity >= threshold, in integers) is found if the run's candidate rule
// accepts it: identical texts are, brute accepts all, lsh asks for a shared band and enough
// agreements of the filter; both sides are sketched again for that. Precision is measured on the
// reported pairs that touch a drawn document. Every member of a pair of rows counts it, so that the
// ratio estimates the recall over all pairs of rows. Costs about one more scan.

// Pairs reported: each removed row with its survivor.
[[nodiscard]] AuditFacts audit_dedup(SetRun& run, const Decisions& decisions);

// Pairs reported: `rows`. With --against, pairs of the two collections only.
[[nodiscard]] AuditFacts audit_pairs(SetRun& run, const RowPairCollector& rows);

}  // namespace sosie
