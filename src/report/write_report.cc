// The page of --report: what is the same for items of every kind.
#include "report/write_report.h"

#include "report/repeat_command.h"
#include "report/report_curves.h"
#include "sosie/version.h"

namespace sosie {

void complete_page(const Options& options, const ReportSource& source, ReportPage& page) {
  page.is_chained = options.clustering == "components";
  page.flow = report_flow(source, page.summary);
  page.bins = similarity_bins(source, page.axis);
  page.sizes = report_sizes(source);
  page.command = repeat_command(page.summary.verb, options);
  page.version = version();
  page.recipe = recipe_version();
}

void write_report(const ReportPage& page, OutputFile& out) { out.write(html_report(page)); }

}  // namespace sosie
