// Page of --report: its parts, in their order.
#include "write/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "write/html_page.h"
#include "write/html_text.h"
#include "write/sections.h"

namespace sosie {
namespace {

struct Part {
  std::string_view id;
  std::string_view title;
  void (*append)(std::string& out, const ReportPage& page);
};

constexpr std::array kParts = {
    Part{"inputs", "Inputs", append_inputs_section},
    Part{"similarities", "Similarities", append_similarities_section},
    Part{"sizes", "Group sizes", append_sizes_section},
    Part{"clusters", "Largest groups", append_clusters_section},
    Part{"nearest", "Pairs nearest the threshold", append_nearest_section},
    Part{"repeat", "Parameters, and how to repeat the run", append_repeat_section},
};

}  // namespace

double ReportAxis::position(double value) const noexcept {
  if (value == last || first == last) return 1;
  return std::clamp((value - first) / (last - first), 0.0, 1.0);
}

std::string html_report(const ReportPage& page) {
  PageFrame frame;
  frame.title = "Sosie: what was kept and removed";
  frame.heading = "What was kept and removed";
  std::vector<std::string> names;
  for (const InputCounts& input : page.summary.inputs) names.push_back(input.name);
  frame.subject = data_names(names);
  append_totals_section(frame.before, page);
  std::vector<PageSection> sections;
  for (const Part& part : kParts) {
    sections.push_back({part.id, part.title, {}});
    part.append(sections.back().body, page);
  }
  frame.sections = sections;
  frame.foot = fmt::format("sosie {}, recipe {}.", html_line(page.version), page.recipe);
  return html_page(frame);
}

}  // namespace sosie
