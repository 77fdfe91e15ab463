// Contents of a page of --report about texts, sets and bags.
#include "report/describe_sets.h"

#include "report/repeat_command.h"
#include "report/report_curves.h"

namespace sosie {

void describe_sets(const SetRun& run, const ReportSource& source,
                   const BucketComponents& components, ReportPage& page) {
  page.threshold = run.settings.threshold.value();
  page.curves = report_curves(run, similarity_bins(source, page.axis));
  page.clusters = report_clusters(source, telling_lines(run), components);
  page.nearest = nearest_pairs(run, source);
  page.parameters = report_parameters(run.verb, run.options, chosen_of(run.choice));
}

}  // namespace sosie
