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

// Texts, sets or bags that were compared, as a page tells of them.
struct ComparedSets {
  std::string_view verb;
  const Options& options;
  const Settings& settings;
  const MethodChoice& choice;
  const Inputs& inputs;
  const Corpus& corpus;
};

[[nodiscard]] inline ComparedSets compared_sets(const SetRun& run) {
  return {run.verb, run.options, run.settings, run.choice, run.inputs, run.corpus};
}

// A row as the page of --report names it.
[[nodiscard]] ReportRow report_row(const ReportSource& source, RowNumber row);

// Components of shared buckets, by a row that survives in them.
using BucketComponents = std::unordered_map<RowNumber, ReportCluster::Component>;

// Adds the components of the largest groups, at most 20; `rows` as in DecisionObserver.
void add_bucket_components(SetRun& run, const Decisions& decisions, std::span<const RowNumber> rows,
                           BucketComponents& components);

// The largest groups, at most 20, ties in the order of their survivors; `line` is what they show of
// those.
[[nodiscard]] std::vector<ReportCluster> report_clusters(
    const ReportSource& source, const std::function<std::string(RowNumber row)>& line,
    const BucketComponents& components);

// The line of a row's text that says which one it is.
[[nodiscard]] std::function<std::string(RowNumber row)> telling_lines(const ComparedSets& sets);

// A removed row and what the measure says of it and its survivor.
struct ReportEdge {
  double value;
  RowNumber row;
};

// The near-duplicates least like their survivors, at most 30, ties in input order.
[[nodiscard]] std::vector<ReportEdge> weakest_edges(const ReportSource& source);

// Nearest pairs of texts, with a diff of the words of both; of one whose survivor's text is not at
// hand, with the text that was removed. Words are compared as the shingles see them; long texts are
// cut.
[[nodiscard]] std::vector<ReportPair> nearest_pairs(const ComparedSets& sets,
                                                    const ReportSource& source);

// Chooses the line that a list shows of a text: the first one that says which text it is. A rule
// ("---"), an XML declaration or a licence that many texts begin with does not.
class TellingLines {
 public:
  // Looks at the first lines of a text for those that many have.
  void add(std::string_view text);

  // The first line with a letter or a digit that not more than a quarter of the texts have; the
  // first line of all where there is none. Blanks at its ends are left out, and what is beyond
  // 2,000 bytes.
  [[nodiscard]] std::string of(std::string_view text) const;

 private:
  [[nodiscard]] bool is_common(std::string_view line) const;

  std::uint64_t texts_ = 0;
  std::unordered_map<std::string, std::uint64_t> texts_with_;
};

}  // namespace sosie
