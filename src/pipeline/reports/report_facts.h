#pragma once

#include <vector>

#include "pipeline/groups/decisions.h"
#include "pipeline/sets/run.h"
#include "write/html_report.h"

// What the page of --report counts: numbers only, no texts.
namespace sosie {

// Calls `visit(row, decision)` for every removed row, in input order.
template <class Visit>
void for_each_removed(const Run& run, const Decisions& decisions, const Visit& visit) {
  for (RowId row = run.corpus.first_own_row; row < run.corpus.rows; ++row) {
    const Decision decision = decisions.of(row);
    if (decision.survivor != row) visit(row, decision);
  }
}

// Inputs by what was removed from or against them, the first kReportInputs in input order, the
// others as one.
[[nodiscard]] ReportFlow report_flow(const Run& run, const Decisions& decisions,
                                     const RunSummary& summary);

[[nodiscard]] SimilarityBins similarity_bins(const Run& run, const Decisions& decisions);

// This run's curve and the peers', with what each would be expected to find of `bins`.
[[nodiscard]] std::vector<ReportCurve> report_curves(const Run& run, const SimilarityBins& bins);

// Groups of 2, 3 to 4, 5 to 8 ... rows, up to the largest.
[[nodiscard]] std::vector<ReportSizes> report_sizes(const Run& run, const Decisions& decisions);

}  // namespace sosie
