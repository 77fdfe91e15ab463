// Contents of the --report page: text lines of texts and sets, fields of items in memory.
#include "report/describe_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/rational.h"
#include "data/kinds.h"
#include "read/field_paths.h"
#include "report/repeat_command.h"
#include "report/report_curves.h"
#include "report/run_rows.h"
#include "report/summary.h"
#include "sosie/help.h"

namespace sosie {
namespace {

constexpr std::size_t kMostBytes = 2000;  // maximum bytes of a value; fewer are shown

std::vector<ReportField> shown_fields(const ReportSource& source, RowNumber row) {
  std::vector<ReportField> fields = row_fields(source.inputs, source.corpus, row);
  for (ReportField& field : fields) field.value.resize(std::min(field.value.size(), kMostBytes));
  return fields;
}

// "title: Two cats; score: 3": the other fields of the row; the compared field is left out unless
// it is the only one.
std::string line_of(const Options& options, const ReportSource& source, RowNumber row) {
  std::vector<ReportField> fields = shown_fields(source, row);
  const std::vector<std::string> compared = all_field_paths(options.column);
  const auto others = std::stable_partition(fields.begin(), fields.end(), [&](const auto& field) {
    return std::none_of(compared.begin(), compared.end(),
                        [&](const std::string& path) { return lies_in(path, field.name); });
  });
  if (others != fields.begin()) fields.erase(others, fields.end());
  std::string line;
  for (const ReportField& field : fields) {
    if (!line.empty()) line += "; ";
    line += field.name.empty() ? field.value : fmt::format("{}: {}", field.name, field.value);
  }
  return line;
}

// The axis starts at the bound, or at the most distant value beyond it (ends of chains), and ends
// at the value for equal items.
ReportAxis axis_of(const ReportSource& source, double bound) {
  ReportAxis axis{bound, source.is_similarity ? 1.0 : 0.0};
  for_each_removed(source, [&](RowNumber row, const Decision& decision) {
    const double value = source.value(row, decision);
    if (source.is_weaker(value, axis.first)) axis.first = value;
  });
  return axis;
}

ReportSide side_of(const ReportSource& source, RowNumber row) {
  ReportSide side;
  side.row = report_row(source, row);
  side.fields = shown_fields(source, row);
  return side;
}

std::vector<ReportPair> nearest(const ReportSource& source) {
  std::vector<ReportPair> pairs;
  for (const ReportEdge& edge : weakest_edges(source)) {
    const RowNumber survivor = source.decisions.of(edge.row).survivor;
    ReportPair& pair = pairs.emplace_back();
    pair.similarity = edge.value;
    pair.removed = side_of(source, edge.row);
    pair.kept = side_of(source, survivor);
  }
  return pairs;
}

std::string chosen_value(const RunSummary& summary, const OptionRow& row) {
  // The bound is shown elsewhere, and the method line contains the bands.
  constexpr std::array<std::string_view, 3> kShownElsewhere = {"threshold", "bands", "construct"};
  if (!refusal_of(row, summary.kind).empty() ||
      std::find(kShownElsewhere.begin(), kShownElsewhere.end(), row.name) !=
          kShownElsewhere.end()) {
    return {};
  }
  if (row.name == "measure") return summary.measure;
  if (row.name == "method")
    return fmt::format("{} (here: {})", row.default_text, summary.method.name());
  return std::string(row.default_text);
}

}  // namespace

void describe_items(const Options& options, const ReportSource& source, ReportPage& page) {
  const RunSummary& summary = page.summary;
  page.measured = {std::string(item_name(summary.kind)) + "s",
                   source.is_similarity ? "similarity" : "distance", source.is_similarity,
                   method_line(summary)};
  page.threshold = parse_signed_rational(summary.threshold)->value();
  page.axis = axis_of(source, page.threshold);
  page.clusters =
      report_clusters(source, [&](RowNumber row) { return line_of(options, source, row); }, {});
  page.nearest = nearest(source);
  page.parameters = report_parameters(
      summary.verb, options, [&](const OptionRow& row) { return chosen_value(summary, row); });
}

void describe_sets(const ComparedSets& sets, const ReportSource& source,
                   const BucketComponents& components, ReportPage& page) {
  page.threshold = sets.settings.threshold.value();
  page.curves = report_curves(sets.choice, page.threshold, similarity_bins(source, page.axis));
  page.clusters = report_clusters(source, telling_lines(sets), components);
  page.nearest = nearest_pairs(sets, source);
  page.parameters = report_parameters(sets.verb, sets.options, chosen_of(sets.choice));
}

}  // namespace sosie
