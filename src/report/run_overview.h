#pragma once

#include <string>

#include "write/html_report.h"

namespace sosie {

// A JSON object with what a saved run tells of itself at a glance: counts, flow between sources,
// the histogram of similarities, S-curves, sizes of groups and what components would have merged.
[[nodiscard]] std::string run_overview(const ReportPage& page);

}  // namespace sosie
