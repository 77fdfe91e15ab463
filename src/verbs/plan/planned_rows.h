#pragma once

#include <string>

#include "join/sets/method_choice.h"
#include "plan/row_survey.h"
#include "plan/run_costs.h"

namespace sosie {

// Facts that `sosie plan` has learnt about the rows of a run.
struct PlannedRows {
  RowSurvey survey;
  Sample sample;
};

// Tells the user of rows that dedup will not write into one file.
void tell_of_mixed_rows(const Inputs& inputs, const Options& options, const RunHooks& hooks);

// Looks at the inputs, which may be none. With a method that is still to be chosen, or one that
// compares every pair, the sample is joined.
[[nodiscard]] PlannedRows inspect_rows(const Inputs& inputs, const Options& options,
                                       const Settings& settings, const Scratch& scratch,
                                       ThreadPool& pool);

// Predicted costs of the two runs.
struct PlannedCosts {
  RunCosts dedup;
  RunCosts pairs;
};
[[nodiscard]] PlannedCosts planned_costs(const PlannedRows& rows, const MethodChoice& dedup,
                                         const MethodChoice& pairs, const Options& options,
                                         const Settings& settings);

// "1.2 s, 80.1 MB of memory, no scratch", and on which machine.
[[nodiscard]] std::string costs_text(const RunCosts& costs);
[[nodiscard]] std::string costs_note(const Settings& settings);

// The rows for which --rows asks: so many like these. Throws Error{malformed_input} where there is
// none to go by.
[[nodiscard]] PlannedRows rows_asked_for(const PlannedRows& known, const Options& options);

// "about 35 rows in 2.4 MB".
[[nodiscard]] std::string rows_text(const PlannedRows& rows);

// Describes the number of rows and the predicted costs of runs: time, memory and scratch, a line
// each.
[[nodiscard]] std::string describe_runs(const PlannedRows& rows, const PlannedCosts& costs,
                                        const Settings& settings);

}  // namespace sosie
