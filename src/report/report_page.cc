#include "report/report_page.h"

#include "report/report_clusters.h"
#include "report/report_command.h"
#include "report/report_facts.h"
#include "sosie/version.h"

namespace sosie {

void write_report(const Run& run, const ReportSource& source, const BucketComponents& components,
                  const RunSummary& summary, OutputFile& out) {
  ReportPage page;
  page.summary = summary;
  page.threshold = run.settings.threshold.value();
  page.is_chained = run.options.clustering == "components";
  page.flow = report_flow(source, summary);
  page.bins = similarity_bins(source, page.axis);
  page.curves = report_curves(run, page.bins);
  page.sizes = report_sizes(source);
  page.clusters = report_clusters(source, first_lines(run), components);
  page.nearest = nearest_pairs(run, source);
  page.parameters = report_parameters(run.verb, run.options, chosen_of(run.choice));
  page.command = repeat_command(run.verb, run.options);
  page.version = version();
  page.recipe = recipe_version();
  out.write(html_report(page));
}

}  // namespace sosie
