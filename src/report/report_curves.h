#pragma once

#include <vector>

#include "join/sets/method_choice.h"
#include "plan/banding_plan.h"
#include "report/report_page.h"
#include "report/report_source.h"

// Numbers for the --report page; no texts.
namespace sosie {

// Removed rows by input and by the survivor's input. Shows the kReportInputs inputs with the most
// such rows, in input order, and combines all others.
[[nodiscard]] ReportFlow report_flow(const ReportSource& source, const RunSummary& summary);

[[nodiscard]] SimilarityBins similarity_bins(const ReportSource& source, const ReportAxis& axis);

// The curves of this run and of peers, with the number of pairs in `bins` that each is expected to
// find.
[[nodiscard]] std::vector<ReportCurve> report_curves(const MethodChoice& choice, double threshold,
                                                     const SimilarityBins& bins);

// The curve of a plan for this threshold, and the curves of peers.
[[nodiscard]] std::vector<ReportCurve> planned_curves(const BandingPlan& plan, double threshold,
                                                      const SimilarityBins& bins);

// The numbers of groups with 2, 3 to 4, 5 to 8 ... rows, up to the largest group.
[[nodiscard]] std::vector<ReportSizes> report_sizes(const ReportSource& source);

}  // namespace sosie
