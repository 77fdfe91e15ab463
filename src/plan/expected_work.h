#pragma once

#include "plan/planned_run.h"
#include "plan/row_survey.h"

namespace sosie {

// Pairs that a run verifies, and the shingles of both rows of all of them.
struct VerifiedPairs {
  double pairs = 0;
  double shingles = 0;
};

// What a run is expected to do with pairs of its rows, from those that were drawn.
struct ExpectedWork {
  VerifiedPairs near;        // of rows that stand next to each other
  VerifiedPairs far;         // of others
  double candidates = 0;     // pairs in a bucket
  double found = 0;          // similar pairs that there are
  double verified_rows = 0;  // that verified pairs consist of
};

// Of exact and brute only `found` and what is similar is known. + - * / on doubles in one fixed
// order.
[[nodiscard]] ExpectedWork expected_work(const RowSurvey& survey, const PlannedRun& run) noexcept;

}  // namespace sosie
