// Counts removed rows by group, similarity and input for the --report page.
#include "report/report_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "options/items_as_file.h"
#include "plan/curve_facts.h"

namespace sosie {
namespace {

constexpr std::size_t kCurveSteps = 200;

// All inputs of a run by name, including the inputs of --against, and the input of each file.
struct Groups {
  std::vector<InputCounts> counts;
  std::vector<std::size_t> of_file;
};

Groups groups_of(const Inputs& inputs, const Corpus& corpus, const RunSummary& summary) {
  Groups groups;
  groups.counts = summary.inputs;
  std::unordered_map<std::string, std::size_t> index;
  for (const InputCounts& input : groups.counts) index.emplace(input.name, index.size());
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    const std::string& name = inputs.list[i].group;
    const auto [at, added] = index.emplace(name, groups.counts.size());
    if (added) groups.counts.push_back({.name = name + " (against)"});
    groups.of_file.push_back(at->second);
    if (at->second < summary.inputs.size()) continue;
    InputCounts& counts = groups.counts[at->second];
    const ItemsAsFile* items = index_items_of(inputs.list[i]);
    counts.bytes += items == nullptr ? inputs.files[i].counted_size() : items->whole().bytes;
    if (items != nullptr) counts.rows += items->whole().items - items->numbers().size();
  }
  for (std::size_t i = 0; i < corpus.facts.size(); ++i) {
    const std::size_t group = groups.of_file[corpus.ranges[i].file];
    if (group < summary.inputs.size()) continue;
    groups.counts[group].rows += corpus.facts[i].rows;
    groups.counts[group].words += corpus.facts[i].words;
  }
  return groups;
}

// The position of each group on the page; groups without a position of their own share the last
// one.
std::vector<std::size_t> places_of(const std::vector<InputCounts>& counts,
                                   const std::vector<std::uint64_t>& weights) {
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  if (order.size() > kReportInputs + 1) order.resize(kReportInputs);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> places(counts.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

void add(const InputCounts& counts, InputCounts& sum) {
  sum.bytes += counts.bytes;
  sum.words += counts.words;
  sum.rows += counts.rows;
  sum.kept += counts.kept;
  sum.identical += counts.identical;
  sum.near += counts.near;
}

double expected_found(const SimilarityBins& bins, const Curve& curve) {
  double found = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double middle = std::min(1.0, static_cast<double>(i) / 100 + 0.005);
    found += static_cast<double>(bins[i]) * amplify(curve.construction, middle).found;
  }
  return found;
}

ReportCurve report_curve(const Curve& curve, double threshold, const SimilarityBins& bins) {
  const CurveFacts facts = curve_facts(curve, threshold);
  ReportCurve out{curve.name, facts.banding, facts.at_threshold, expected_found(bins, curve), {}};
  for (std::size_t i = 0; i <= kCurveSteps; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(kCurveSteps);
    out.probabilities.push_back(amplify(curve.construction, s).found);
  }
  return out;
}

}  // namespace

ReportFlow report_flow(const ReportSource& source, const RunSummary& summary) {
  const Groups groups = groups_of(source.inputs, source.corpus, summary);
  const std::size_t n = groups.counts.size();
  const auto group_of = [&](RowNumber row) {
    return groups.of_file[source.corpus.locator(row).file];
  };
  std::vector<std::uint64_t> weights(n, 0);
  for_each_removed(source, [&](RowNumber row, const Decision& decision) {
    ++weights[group_of(row)];
    ++weights[group_of(decision.survivor)];
  });
  const std::vector<std::size_t> places = places_of(groups.counts, weights);
  ReportFlow flow;
  flow.inputs.resize(n == 0 ? 0 : *std::max_element(places.begin(), places.end()) + 1);
  std::size_t others = 0;
  for (std::size_t i = 0; i < n; ++i) {
    InputCounts& place = flow.inputs[places[i]];
    add(groups.counts[i], place);
    place.name = groups.counts[i].name;
    others += places[i] == kReportInputs && flow.inputs.size() == kReportInputs + 1 ? 1U : 0U;
  }
  if (others > 1) flow.inputs.back().name = fmt::format("{} others", others);
  flow.removed.assign(flow.inputs.size() * flow.inputs.size(), 0);
  for_each_removed(source, [&](RowNumber row, const Decision& decision) {
    ++flow.removed[places[group_of(row)] * flow.inputs.size() +
                   places[group_of(decision.survivor)]];
  });
  return flow;
}

SimilarityBins similarity_bins(const ReportSource& source, const ReportAxis& axis) {
  SimilarityBins bins{};
  for_each_removed(source, [&](RowNumber row, const Decision& decision) {
    if (decision.identical) return;
    const double percent = axis.position(source.value(row, decision)) * 100;
    // In doubles, 0.29 * 100 is 28.999999999999996.
    const auto bin = static_cast<std::size_t>(percent + 1e-9);
    ++bins[std::min(bin, percent < 100 ? bins.size() - 2 : bins.size() - 1)];
  });
  return bins;
}

std::vector<ReportCurve> planned_curves(const BandingPlan& plan, double threshold,
                                        const SimilarityBins& bins) {
  std::vector<ReportCurve> curves;
  for (const Curve& curve : curves_beside_peers(plan, threshold)) {
    curves.push_back(report_curve(curve, threshold, bins));
  }
  return curves;
}

std::vector<ReportCurve> report_curves(const MethodChoice& choice, double threshold,
                                       const SimilarityBins& bins) {
  std::vector<ReportCurve> curves = planned_curves(choice.banding, threshold, bins);
  curves.front().name = "this run";
  if (choice.finds_every_pair()) {
    curves.front().banding.clear();
    curves.front().at_threshold = "100 %";
    std::fill(curves.front().probabilities.begin(), curves.front().probabilities.end(), 1.0);
  }
  return curves;
}

std::vector<ReportSizes> report_sizes(const ReportSource& source) {
  std::vector<ReportSizes> sizes;
  for (RowNumber row = 0; row < source.corpus.rows; ++row) {
    const std::uint64_t rows = source.decisions.group_rows(row);
    if (rows < 2) continue;
    std::size_t at = 0;
    while (rows > std::uint64_t{2} << at) ++at;
    while (sizes.size() <= at) {
      const std::uint64_t last = std::uint64_t{2} << sizes.size();
      sizes.push_back({last == 2 ? 2 : last / 2 + 1, last, 0, 0});
    }
    ++sizes[at].groups;
    sizes[at].rows += rows;
  }
  return sizes;
}

}  // namespace sosie
