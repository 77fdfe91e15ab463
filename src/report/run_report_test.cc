// Tests of the page of --report for runs that were not started from the command line.
#include "report/run_report.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

bool holds(const std::string& page, std::string_view text) {
  return page.find(text) != std::string::npos;
}

TEST(RunReport, IsCompleteWithoutAnyRow) {
  ReportPage page;
  page.threshold = 0.8;
  page.flow.inputs.resize(1);
  page.flow.removed.resize(1);
  const std::string html = run_report(page);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_TRUE(holds(html, "\"groups\":[]"));
  EXPECT_TRUE(holds(html, "\"closest\":[]"));
}

TEST(RunReport, CutsLongNames) {
  ReportPage page;
  ReportCluster& cluster = page.clusters.emplace_back();
  cluster.survivor = {std::string(100'000, 'i'), "a.jsonl", 3};
  cluster.line = std::string(100'000, 'l');
  cluster.rows = 2;
  const std::string html = run_report(page);
  EXPECT_FALSE(holds(html, std::string(500, 'i')));
  EXPECT_FALSE(holds(html, std::string(500, 'l')));
  EXPECT_TRUE(holds(html, "ii\u2026\",0,3,0,1.0,1]"));
}

TEST(RunReport, TellsTimesInOneElement) {
  ReportPage page;
  const std::string before = run_report(page);
  page.summary.seconds = 12.34;
  page.summary.peak_bytes = 56'700'000;
  page.written = "2026-01-02 03:04 UTC";
  std::string after = run_report(page);
  const auto cut = [](std::string html) {
    const std::size_t begin = html.find("<p id=\"resources\"");
    return html.erase(begin, html.find("</p>", begin) - begin);
  };
  EXPECT_NE(before, after);
  EXPECT_EQ(cut(before), cut(after));
}

}  // namespace
}  // namespace sosie
