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

  bool only_across = false;  // dedup --contained: compares no two rows of INPUT

  // The facts for a run of `pairs` or `dedup`, which usually also compares rows of INPUT with each
  // other.
  [[nodiscard]] CollectionFacts facts_for(JoinUse use) const {
    CollectionFacts facts = sample.collection;
    if (use == JoinUse::survivors && !only_across) facts.partners.reset();
    return facts;
  }
};

// Informs the user of rows that dedup will not write to a single file.
void tell_of_mixed_rows(const Inputs& inputs, const Options& options, const RunHooks& hooks);

// Samples the inputs, if there are any. The sample is joined if the method has not been chosen yet
// or compares every pair.
[[nodiscard]] PlannedRows inspect_rows(const Inputs& inputs, const Options& options,
                                       const Settings& settings, const RunTools& tools);

// Predicted costs of the two runs.
struct PlannedCosts {
  RunCosts dedup;
  RunCosts pairs;
};
[[nodiscard]] PlannedCosts planned_costs(const PlannedRows& rows, const MethodChoice& dedup,
                                         const MethodChoice& pairs, const Options& options,
                                         const Settings& settings);

// "1.2 s, 80.1 MB of memory, no scratch", and the reference machine.
[[nodiscard]] std::string costs_text(const RunCosts& costs);
[[nodiscard]] std::string costs_note(const Settings& settings);

// The facts scaled to the number of rows that --rows gives. Throws Error{malformed_input} if there
// are no rows to scale.
[[nodiscard]] PlannedRows rows_asked_for(const PlannedRows& known, const Options& options);

// Decompressed bytes of all files.
[[nodiscard]] std::uint64_t bytes_of_inputs(const Inputs& inputs);

// "about 35 rows in 2.4 MB".
[[nodiscard]] std::string rows_text(const PlannedRows& rows);

// Describes the number of rows and the predicted costs of runs: one line each for time, memory and
// scratch.
[[nodiscard]] std::string describe_runs(const PlannedRows& rows, const PlannedCosts& costs,
                                        const Settings& settings);

}  // namespace sosie
