#include "pipeline/reports/report_page.h"

#include "pipeline/reports/report_clusters.h"
#include "pipeline/reports/report_command.h"
#include "pipeline/reports/report_facts.h"
#include "sosie/version.h"

namespace sosie {

void write_report(const Run& run, const Decisions& decisions, RowNames& names,
                  const BucketComponents& components, const RunSummary& summary, OutputFile& out) {
  ReportPage page;
  page.summary = summary;
  page.threshold = run.settings.threshold.value();
  page.is_chained = run.options.clustering == "components";
  page.flow = report_flow(run, decisions, summary);
  page.bins = similarity_bins(run, decisions);
  page.curves = report_curves(run, page.bins);
  page.sizes = report_sizes(run, decisions);
  page.clusters = report_clusters(run, decisions, names, components);
  page.nearest = nearest_pairs(run, decisions, names);
  page.parameters = report_parameters(run);
  page.command = repeat_command(run);
  page.version = version();
  page.recipe = recipe_version();
  out.write(html_report(page));
}

}  // namespace sosie
