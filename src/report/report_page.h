#pragma once

#include "io/output_file.h"
#include "report/report_source.h"
#include "write/html_report.h"

namespace sosie {

// --report: one self-contained HTML page of at most 5 MB about what a dedup run kept and removed,
// and why. `page` has its summary, complete, and what describe_sets() or describe_items() fill in.
// Source: docs/how-it-works.md.
void write_report(const Options& options, const ReportSource& source, ReportPage& page,
                  OutputFile& out);

}  // namespace sosie
