#pragma once

#include "plan/planned_run.h"
#include "plan/row_survey.h"

namespace sosie {

// Number of pairs that a run verifies, and total number of shingles in both rows of all these
// pairs.
struct VerifiedPairs {
  double pairs = 0;
  double shingles = 0;
};

// The work that a run is expected to do on pairs of its rows, estimated from the sampled pairs.
struct ExpectedWork {
  VerifiedPairs near;        // pairs of neighbouring rows
  VerifiedPairs far;         // pairs of other rows
  double candidates = 0;     // pairs in a bucket
  double found = 0;          // all similar pairs
  double verified_rows = 0;  // rows of verified pairs
};

// For exact and brute, only `found` and the similar pairs are known. Uses + - * / on doubles in a
// fixed order.
[[nodiscard]] ExpectedWork expected_work(const RowSurvey& survey, const PlannedRun& run) noexcept;

}  // namespace sosie
