#pragma once

#include <vector>

#include "join/sets/method_choice.h"
#include "plan/banding_plan.h"
#include "report/report_page.h"
#include "report/report_source.h"

// Counts on the page of --report: numbers only, no texts.
namespace sosie {

// Inputs by what was removed from or against them, the first kReportInputs in input order, the
// others as one.
[[nodiscard]] ReportFlow report_flow(const ReportSource& source, const RunSummary& summary);

[[nodiscard]] SimilarityBins similarity_bins(const ReportSource& source, const ReportAxis& axis);

// This run's curve and the peers', with what each would be expected to find of `bins`.
[[nodiscard]] std::vector<ReportCurve> report_curves(const MethodChoice& choice, double threshold,
                                                     const SimilarityBins& bins);

// Curve of a plan for this threshold, and the peers'.
[[nodiscard]] std::vector<ReportCurve> planned_curves(const BandingPlan& plan, double threshold,
                                                      const SimilarityBins& bins);

// Groups of 2, 3 to 4, 5 to 8 ... rows, up to the largest.
[[nodiscard]] std::vector<ReportSizes> report_sizes(const ReportSource& source);

}  // namespace sosie
