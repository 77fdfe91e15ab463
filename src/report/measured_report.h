#pragma once

#include "io/output_file.h"
#include "report/measured_summary.h"
#include "report/report_source.h"

namespace sosie {

// --report of vectors and bit strings: the page of texts (report_page.h) without what only texts
// have. Rows are shown by their ids and the fields they have. `summary` is complete.
void write_measured_report(const Options& options, const ReportSource& source,
                           const MeasuredSummary& summary, OutputFile& out);

}  // namespace sosie
