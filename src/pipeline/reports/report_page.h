#pragma once

#include "io/output_file.h"
#include "pipeline/reports/report_clusters.h"
#include "pipeline/reports/report_source.h"
#include "pipeline/sets/run.h"

namespace sosie {

// --report: one self-contained HTML page of at most 5 MB about what a dedup run kept and removed,
// and why. `summary` is complete. Source: docs/how-it-works.md.
void write_report(const Run& run, const ReportSource& source, const BucketComponents& components,
                  const RunSummary& summary, OutputFile& out);

}  // namespace sosie
