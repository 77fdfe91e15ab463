#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "join/sets/set_run.h"
#include "report/report_page.h"
#include "report/report_source.h"

namespace sosie {

// Texts, sets or bags that were compared, for description on a page.
struct ComparedSets {
  VerbBit verb;
  const Options& options;
  const Settings& settings;
  const MethodChoice& choice;
  const Inputs& inputs;
  const Corpus& corpus;
};

[[nodiscard]] inline ComparedSets compared_sets(const SetRun& run) {
  return {run.verb, run.options, run.settings, run.choice, run.inputs, run.corpus};
}

// A row as named on the --report page.
[[nodiscard]] ReportRow report_row(const ReportSource& source, RowNumber row);

// Components of rows that share buckets, each identified by a row that survives in it.
using BucketComponents = std::unordered_map<RowNumber, ReportCluster::Component>;

// Adds the components of the largest groups, at most 20. `rows`: as in DecisionObserver.
void add_bucket_components(SetRun& run, const Decisions& decisions, std::span<const RowNumber> rows,
                           BucketComponents& components);

// The largest groups, at most 20; ties are in the order of their survivors. `line` returns the line
// shown for a survivor.
[[nodiscard]] std::vector<ReportCluster> report_clusters(
    const ReportSource& source, const std::function<std::string(RowNumber row)>& line,
    const BucketComponents& components);

// For each row, the line that best identifies its text.
[[nodiscard]] std::function<std::string(RowNumber row)> telling_lines(const ComparedSets& sets);

// A removed row, and the measure's value for it and its survivor.
struct ReportEdge {
  double value;
  RowNumber row;
};

// The near-duplicates that are least similar to their survivors, at most 30; ties are in input
// order.
[[nodiscard]] std::vector<ReportEdge> weakest_edges(const ReportSource& source);

// The most similar pairs of texts, with a word-by-word diff. If the survivor's text is not
// available, only the removed text is shown. Words are compared as for shingles; long texts are
// cut.
[[nodiscard]] std::vector<ReportPair> nearest_pairs(const ComparedSets& sets,
                                                    const ReportSource& source);

// Chooses the line that represents a text in a list: the first line that identifies it. A rule
// ("---"), an XML declaration or a licence at the beginning of many texts does not identify a text.
class TellingLines {
 public:
  // Examines the first lines of a text, to find lines that many texts have.
  void add(std::string_view text);

  // The first line that contains a letter or a digit and that at most a quarter of the texts have;
  // if there is none, the first line with a letter or a digit, or else the first line. Spaces at
  // both ends are removed, and so is everything beyond 2,000 bytes.
  [[nodiscard]] std::string of(std::string_view text) const;

 private:
  [[nodiscard]] bool is_common(std::string_view line) const;

  std::uint64_t texts_ = 0;
  std::unordered_map<std::string, std::uint64_t> texts_with_;
};

}  // namespace sosie
