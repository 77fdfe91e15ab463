#pragma once

#include "io/output_file.h"
#include "report/report_source.h"
#include "write/html_report.h"

namespace sosie {

// --report: one self-contained HTML page of at most 5 MB about what a dedup run kept and removed,
// and why. `page` has its summary, complete, what describe_sets() or describe_items() fill in, and
// complete_page().
// Source: docs/how-it-works.md.
void write_report(const ReportPage& page, OutputFile& out);

// Fills in what is told of items of every kind: flow, histogram, sizes, the command.
void complete_page(const Options& options, const ReportSource& source, ReportPage& page);

}  // namespace sosie
