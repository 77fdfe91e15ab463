#pragma once

#include "report/report_source.h"
#include "sosie/options.h"
#include "write/html_report.h"

namespace sosie {

// Fills in what a page of --report shows of vectors and bit strings: rows by their ids and the
// fields they have. `page.summary` is complete.
void describe_items(const Options& options, const ReportSource& source, ReportPage& page);

}  // namespace sosie
