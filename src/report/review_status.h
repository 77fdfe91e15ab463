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

// Takes a step that a JSON object asks for; returns the state behind it. Throws
// Error{invalid_option} for what cannot be meant, and as RunDecisions::act() does.
std::string take_step(const RunFolder& run, RunGroups& groups, RunDecisions& decisions,
                      std::string_view request);

// Writes all groups as a clusters file. A row that is no duplicate is a group of its own; the
// others stay together under the id of the kept one, or of the first that is kept now.
void export_clusters(const RunFolder& run, const RunDecisions& decisions, const std::string& format,
                     const std::function<void(std::string_view bytes)>& sink);

}  // namespace sosie
