#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/run_groups.h"
#include "store/run/run_decisions.h"
#include "store/run/run_folder.h"

namespace sosie {

// The state of the review as a JSON object. docs/serve-run.md describes the fields, also for the
// functions below.
[[nodiscard]] std::string review_status(const RunFolder& run, const RunDecisions& decisions);

// Performs the step that a JSON object requests and returns the resulting state. Throws
// Error{invalid_option} for an invalid request, and throws as RunDecisions::act() does.
std::string take_step(const RunFolder& run, RunGroups& groups, RunDecisions& decisions,
                      std::string_view request);

// Receives blocks of a file.
using BytesSink = std::function<void(std::string_view bytes)>;

// Writes all groups as a clusters file. A row judged not to be a duplicate becomes a group of its
// own; the other rows stay together under the id of the kept row or of the first row that is now
// kept.
void export_clusters(const RunFolder& run, const RunDecisions& decisions, const std::string& format,
                     const BytesSink& sink);

// Writes the judged pairs of a link run, in the order in which they were saved: left, right,
// decision (accepted, rejected) for `link --reuse` or, with `as_labels`, left, right, label (1, 0)
// for `link --labels`. Decision or label is empty if the person is unsure. Includes judgements that
// were given to the run itself.
void export_judgements(const RunFolder& run, const RunDecisions& decisions,
                       const std::string& format, bool as_labels, const BytesSink& sink);

}  // namespace sosie
