#pragma once

#include <vector>

#include "join/sets/method_choice.h"
#include "plan/banding_plan.h"
#include "report/report_page.h"
#include "report/report_source.h"

// Numbers for the page of --report, without texts.
namespace sosie {

// Inputs by the number of rows removed from or because of them: the first kReportInputs in input
// order, the others combined.
[[nodiscard]] ReportFlow report_flow(const ReportSource& source, const RunSummary& summary);

[[nodiscard]] SimilarityBins similarity_bins(const ReportSource& source, const ReportAxis& axis);

// Curves of this run and of peers, with the expected number of pairs in `bins` that each would
// find.
[[nodiscard]] std::vector<ReportCurve> report_curves(const MethodChoice& choice, double threshold,
                                                     const SimilarityBins& bins);

// Curve of a plan for this threshold, and curves of peers.
[[nodiscard]] std::vector<ReportCurve> planned_curves(const BandingPlan& plan, double threshold,
                                                      const SimilarityBins& bins);

// Groups of 2, 3 to 4, 5 to 8 ... rows, up to the largest.
[[nodiscard]] std::vector<ReportSizes> report_sizes(const ReportSource& source);

}  // namespace sosie
