// Page of --report: head, sections, foot.
#include "write/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "write/html_sections.h"
#include "write/html_style.h"
#include "write/html_text.h"

namespace sosie {
namespace {

struct Section {
  std::string_view id;
  std::string_view title;
  void (*append)(std::string& out, const ReportPage& page);
};

constexpr std::array kSections = {
    Section{"inputs", "Inputs", append_inputs},
    Section{"similarities", "Similarities", append_similarities},
    Section{"sizes", "Group sizes", append_sizes},
    Section{"clusters", "Largest groups", append_clusters},
    Section{"nearest", "Pairs nearest the threshold", append_nearest},
    Section{"repeat", "Parameters, and how to repeat the run", append_repeat},
};

// No source of anything is allowed but the page's own style: whatever a document smuggled in could
// neither run nor call out.
constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<title>Sosie: what was kept and removed</title>\n<style>\n";

}  // namespace

double ReportAxis::position(double value) const noexcept {
  if (value == last || first == last) return 1;
  return std::clamp((value - first) / (last - first), 0.0, 1.0);
}

std::string html_report(const ReportPage& page) {
  std::string out(kHead);
  out += html_style();
  out +=
      "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n"
      "<header>\n<h1>What was kept and removed</h1>\n"
      "<nav aria-label=\"On this page\"><ul>\n";
  for (const Section& section : kSections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
  }
  out += "</ul></nav>\n</header>\n<main id=\"content\" tabindex=\"-1\">\n";
  append_totals(out, page);
  for (const Section& section : kSections) {
    out += fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n", section.id,
                       section.title);
    section.append(out, page);
    out += "</section>\n";
  }
  out += fmt::format(
      "</main>\n<footer class=\"faint\"><p>sosie {}, recipe {}.</p></footer>\n</body>\n</html>\n",
      html_line(page.version), page.recipe);
  return out;
}

}  // namespace sosie
