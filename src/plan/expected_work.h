#pragma once

#include "plan/planned_run.h"
#include "plan/row_survey.h"

namespace sosie {

// Pairs that a run verifies, and the shingles of both rows of all of them.
struct VerifiedPairs {
  double pairs = 0;
  double shingles = 0;
};

// Work that a run is expected to do on pairs of its rows, from the pairs that were drawn.
struct ExpectedWork {
  VerifiedPairs near;        // pairs of rows that stand next to each other
  VerifiedPairs far;         // pairs of other rows
  double candidates = 0;     // pairs in a bucket
  double found = 0;          // similar pairs that there are
  double verified_rows = 0;  // that verified pairs consist of
};

// For exact and brute only `found` and the similar pairs are known. + - * / on doubles in one fixed
// order.
[[nodiscard]] ExpectedWork expected_work(const RowSurvey& survey, const PlannedRun& run) noexcept;

}  // namespace sosie
