#pragma once

#include "join/sets/set_run.h"
#include "report/report_clusters.h"
#include "report/report_page.h"
#include "report/report_source.h"
#include "sosie/options.h"

namespace sosie {

// Fills in the --report page for vectors and bit strings: rows with their ids and fields.
// `page.summary` must be complete.
void describe_items(const Options& options, const ReportSource& source, ReportPage& page);

// Fills in the --report page for texts, sets and bags: banding curves, text lines, and diffs of the
// least similar pairs. `page.summary` must be complete.
void describe_sets(const ComparedSets& sets, const ReportSource& source,
                   const BucketComponents& components, ReportPage& page);

}  // namespace sosie
