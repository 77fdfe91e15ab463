#pragma once

#include "io/output_file.h"
#include "join/run.h"
#include "report/report_clusters.h"
#include "report/report_source.h"

namespace sosie {

// --report: one self-contained HTML page of at most 5 MB about what a dedup run kept and removed,
// and why. `summary` is complete. Source: docs/how-it-works.md.
void write_report(const Run& run, const ReportSource& source, const BucketComponents& components,
                  const RunSummary& summary, OutputFile& out);

}  // namespace sosie
