#pragma once

#include "core/json_writer.h"
#include "store/run/run_decisions.h"
#include "store/run/run_folder.h"

namespace sosie {

// Adds the member `estimate`: the quality of a link run's answer and the confidence in it, given
// the labels so far. A reviewer's answer counts as a label, and as followed. The member is null if
// the run contains nothing to estimate from. Fields: docs/formats/run.md.
void add_review_estimate(const RunFolder& run, const RunDecisions& decisions, JsonWriter& json);

}  // namespace sosie
