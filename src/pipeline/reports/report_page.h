#pragma once

#include "io/output_file.h"
#include "pipeline/groups/decisions.h"
#include "pipeline/reports/report_clusters.h"
#include "pipeline/rows/row_names.h"
#include "pipeline/sets/run.h"

namespace sosie {

// --report: one self-contained HTML page of at most 5 MB about what a dedup run kept and removed,
// and why. `summary` is complete. Source: docs/how-it-works.md.
void write_report(const Run& run, const Decisions& decisions, RowNames& names,
                  const BucketComponents& components, const RunSummary& summary, OutputFile& out);

}  // namespace sosie
