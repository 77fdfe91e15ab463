#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/run_groups.h"
#include "store/run/run_decisions.h"
#include "store/run/run_folder.h"

namespace sosie {

// State of the review as a JSON object. Fields: docs/serve-run.md, as for the functions below.
[[nodiscard]] std::string review_status(const RunFolder& run, const RunDecisions& decisions);

// Performs a step requested by a JSON object; returns the state after it. Throws
// Error{invalid_option} for an invalid request, and as RunDecisions::act() does.
std::string take_step(const RunFolder& run, RunGroups& groups, RunDecisions& decisions,
                      std::string_view request);

// Receives blocks of a file.
using BytesSink = std::function<void(std::string_view bytes)>;

// Writes all groups as a clusters file. A row that is not a duplicate is a group of its own; the
// others stay together under the id of the kept one, or of the first one kept now.
void export_clusters(const RunFolder& run, const RunDecisions& decisions, const std::string& format,
                     const BytesSink& sink);

// Writes the judged pairs of a run of link, in the order saved: left, right, decision (accepted,
// rejected) for `link --reuse`, or `as_labels` left, right, label (1, 0) for `link --labels`; empty
// if the person is unsure. Judgements given to the run itself are included.
void export_judgements(const RunFolder& run, const RunDecisions& decisions,
                       const std::string& format, bool as_labels, const BytesSink& sink);

}  // namespace sosie
