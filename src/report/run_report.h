#pragma once

#include <string>

#include "report/report_page.h"

namespace sosie {

// The page of --report: the page of `sosie serve` with the run in it, in one file of at most 5 MB.
// Where no script runs it shows the counts, the removals that were closest calls, and the command.
// The same run gives the same bytes; what differs from run to run (date, time, memory, threads)
// stands in the element of id "resources" alone. Long texts are cut.
[[nodiscard]] std::string run_report(const ReportPage& page);

}  // namespace sosie
