#pragma once

#include <string>

#include "report/report_page.h"

namespace sosie {

// The page of --report: the page of `sosie serve` with the run included, in a single file of at
// most 5 MB. Without scripts, it shows the counts, the removals closest to the threshold, and the
// command. Equal runs give identical bytes; data that differ from run to run (date, time, memory,
// threads) appear only in the element with id "resources". Long texts are cut.
[[nodiscard]] std::string run_report(const ReportPage& page);

}  // namespace sosie
