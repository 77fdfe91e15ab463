#pragma once

#include <string>
#include <vector>

#include "core/json_writer.h"
#include "report/report_page.h"

// Facts about a whole run as JSON, for a saved run and for a report.
namespace sosie {

// Adds members: the summary, counts by input and by size, the parameters and the command.
// `has_resources`: include times and memory, which differ from run to run.
void add_run_overview(const ReportPage& page, bool has_resources, JsonWriter& json);

// Adds the members axis, bins and curves.
void add_histogram(const ReportPage& page, JsonWriter& json);
void add_curves(const std::vector<ReportCurve>& curves, JsonWriter& json);

// Sentences about the compared items and the recall: "Every near-duplicate was removed against a
// survivor whose jaccard similarity to it, computed from both texts (words:5), is at least 0.8.
// ..."
[[nodiscard]] std::string run_claim(const ReportPage& page);

}  // namespace sosie
