#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "pipeline/groups/decisions.h"
#include "pipeline/rows/row_names.h"
#include "pipeline/sets/run.h"
#include "write/html_report.h"

namespace sosie {

// A row as the page of --report names it.
[[nodiscard]] ReportRow report_row(const Run& run, RowNames& names, RowId row);

// Components of shared buckets, by a row that survives in them.
using BucketComponents = std::unordered_map<RowId, ReportCluster::Component>;

// Adds those of the largest groups, at most 20; `rows` as in LookAtDecisions.
void add_bucket_components(const Run& run, const Decisions& decisions, std::span<const RowId> rows,
                           BucketComponents& components);

// The largest groups, at most 20, ties in the order of their survivors.
[[nodiscard]] std::vector<ReportCluster> report_clusters(const Run& run, const Decisions& decisions,
                                                         RowNames& names,
                                                         const BucketComponents& components);

// The near-duplicates least similar to their survivors, at most 30, ties in input order, with a
// diff of the words of both texts. Words are compared as the shingles see them; long texts are cut.
[[nodiscard]] std::vector<ReportPair> nearest_pairs(const Run& run, const Decisions& decisions,
                                                    RowNames& names);

}  // namespace sosie
