// Groups and pairs for the --report page, with lines that represent their texts.
#include "report/report_clusters.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "cluster/components.h"
#include "data/kinds.h"
#include "options/items_as_file.h"
#include "report/report_curves.h"
#include "report/text_diff.h"

namespace sosie {
namespace {

constexpr std::size_t kClusters = 20;
constexpr std::size_t kMostPairs = 30;
constexpr RowNumber kTextsLookedAt = 32;  // examined first, for lines that many texts have

std::vector<ReportRow> report_rows(const ReportSource& source, std::span<const RowNumber> rows) {
  const FileRows file_rows(source.corpus);
  const std::vector<RowNames::Entry> names = source.names.look_up(rows);
  std::vector<ReportRow> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t file = file_rows.file_of(rows[i]);
    const InputFile& input = source.inputs.list[file];
    out.push_back(
        {names[i].id, input.name, number_in_input(input, file_rows.number_of(rows[i], file))});
  }
  return out;
}

std::vector<RowNumber> largest_survivors(const Corpus& corpus, const Decisions& decisions) {
  using Group = std::pair<std::uint64_t, RowNumber>;  // rows, survivor
  const auto larger = [](const Group& a, const Group& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  std::vector<Group> heap;  // the smallest on top
  for (RowNumber row = 0; row < corpus.rows; ++row) {
    const Group group{decisions.group_rows(row), row};
    if (group.first < 2) continue;
    if (heap.size() == kClusters) {
      if (!larger(group, heap.front())) continue;
      std::pop_heap(heap.begin(), heap.end(), larger);
      heap.pop_back();
    }
    heap.push_back(group);
    std::push_heap(heap.begin(), heap.end(), larger);
  }
  std::sort_heap(heap.begin(), heap.end(), larger);
  std::vector<RowNumber> survivors;
  survivors.reserve(heap.size());
  for (const Group& group : heap) survivors.push_back(group.second);
  return survivors;
}

constexpr std::uint64_t kMostMembers = 4000;  // rows of all groups, the largest groups first

// Adds facts about groups that come from their removed rows.
void add_members(const ReportSource& source,
                 const std::unordered_map<RowNumber, std::size_t>& cluster_of,
                 std::vector<ReportCluster>& clusters) {
  std::vector<std::optional<ReportEdge>> weakest(clusters.size());
  std::vector<std::vector<RowNumber>> rows(clusters.size());
  std::vector<std::uint64_t> most;
  std::uint64_t left = kMostMembers;
  for (const ReportCluster& cluster : clusters) {
    most.push_back(std::min({cluster.rows, kReportMembers, left}));
    left -= most.back();
  }
  for_each_removed(source, [&](RowNumber row, const Decision& decision) {
    const auto found = cluster_of.find(decision.survivor);
    if (found == cluster_of.end()) return;
    const std::size_t i = found->second;
    const std::uint64_t bytes = source.corpus.locator(row).length;
    clusters[i].saved_bytes += bytes;
    const double value =
        decision.identical ? (source.is_similarity ? 1.0 : 0.0) : source.value(row, decision);
    if (rows[i].size() < most[i]) {
      rows[i].push_back(row);
      clusters[i].members.push_back({{}, bytes, value, decision.identical});
    }
    if (decision.identical) {
      ++clusters[i].identical;
    } else if (!weakest[i] || source.is_weaker(value, weakest[i]->value)) {
      weakest[i] = ReportEdge{value, row};
    }
  });
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const std::vector<ReportRow> named = report_rows(source, rows[i]);
    for (std::size_t j = 0; j < named.size(); ++j) clusters[i].members[j].row = named[j];
    if (!weakest[i]) continue;
    clusters[i].weakest =
        ReportCluster::WeakestEdge{report_row(source, weakest[i]->row), weakest[i]->value};
  }
}

constexpr std::size_t kLineBytes = 2000;  // more than is shown of any line
constexpr std::size_t kMostLines = 32;    // only these lines of a text are examined
constexpr std::uint64_t kLeastTexts = 4;  // fewer do not show which lines are common

bool says_something(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') ||
           ((byte | 0x20U) >= 'a' && (byte | 0x20U) <= 'z');
  });
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  line = line.substr(0, kLineBytes);
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

// Visits the first non-blank lines until `visit` returns true.
template <class Visit>
void visit_lines(std::string_view text, const Visit& visit) {
  for (std::size_t seen = 0; seen < kMostLines && !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.empty()) continue;
    ++seen;
    if (visit(line)) return;
  }
}

}  // namespace

ReportRow report_row(const ReportSource& source, RowNumber row) {
  return report_rows(source, {&row, 1}).front();
}

std::vector<ReportEdge> weakest_edges(const ReportSource& source) {
  const auto is_before = [&](const ReportEdge& a, const ReportEdge& b) {
    return a.value == b.value ? a.row < b.row : source.is_weaker(a.value, b.value);
  };
  std::vector<ReportEdge> heap;  // the most similar on top
  for_each_removed(source, [&](RowNumber row, const Decision& decision) {
    if (decision.identical) return;
    const ReportEdge edge{source.value(row, decision), row};
    if (heap.size() == kMostPairs) {
      if (!is_before(edge, heap.front())) return;
      std::pop_heap(heap.begin(), heap.end(), is_before);
      heap.pop_back();
    }
    heap.push_back(edge);
    std::push_heap(heap.begin(), heap.end(), is_before);
  });
  std::sort_heap(heap.begin(), heap.end(), is_before);
  return heap;
}

void add_bucket_components(SetRun& run, const Decisions& decisions, std::span<const RowNumber> rows,
                           BucketComponents& components) {
  if (run.choice.finds_every_pair() || !run.matcher) return;
  const Items& items = run.items;
  const std::vector<Place> roots =
      bucket_components(run.matcher->buckets(), items.size(), run.pool);
  const std::vector<RowNumber> survivors = largest_survivors(run.corpus, decisions);
  std::unordered_map<Place, ReportCluster::Component> of_root;
  for (const RowNumber row : survivors) of_root[roots[items.place_of[row]]] = {};
  for (Place p = 0; p < items.size(); ++p) {
    const auto found = of_root.find(roots[p]);
    if (found == of_root.end()) continue;
    found->second.rows += items.rows_of(p);
    found->second.survivors += decisions.of(items.rows[p]).survivor == items.rows[p] ? 1U : 0U;
  }
  for (const RowNumber row : survivors) {
    components[rows.empty() ? row : rows[row]] = of_root[roots[items.place_of[row]]];
  }
}

std::vector<ReportCluster> report_clusters(const ReportSource& source,
                                           const std::function<std::string(RowNumber row)>& line,
                                           const BucketComponents& components) {
  std::vector<ReportCluster> clusters;
  std::unordered_map<RowNumber, std::size_t> cluster_of;
  for (const RowNumber row : largest_survivors(source.corpus, source.decisions)) {
    cluster_of.emplace(row, clusters.size());
    ReportCluster& cluster = clusters.emplace_back();
    cluster.survivor = report_row(source, row);
    cluster.line = line(row);
    cluster.bytes = source.corpus.locator(row).length;
    cluster.of_against = row < source.corpus.first_own_row;
    cluster.rows = source.decisions.group_rows(row);
    if (const auto found = components.find(row); found != components.end()) {
      cluster.component = found->second;
    }
  }
  add_members(source, cluster_of, clusters);
  return clusters;
}

std::function<std::string(RowNumber row)> telling_lines(const ComparedSets& sets) {
  auto reader = std::make_shared<RowReader>(sets.inputs, sets.corpus, sets.inputs.fields);
  TellingLines lines;
  const bool are_texts = sets.options.kind == kTextItems;  // otherwise a line is an element
  const bool has_items =
      sets.inputs.has_against() && index_items_of(sets.inputs.list.front()) != nullptr;
  const RowNumber first = has_items ? sets.corpus.first_own_row : 0;  // items may have no text
  const RowNumber most = are_texts ? std::min(kTextsLookedAt, sets.corpus.rows - first) : 0;
  for (RowNumber row = first; row < first + most; ++row) {
    if (sets.corpus.state(row) == RowState::normal) lines.add(reader->read(row).text);
  }
  return [reader, lines = std::move(lines)](RowNumber row) {
    return lines.of(reader->read(row).text);
  };
}

std::vector<ReportPair> nearest_pairs(const ComparedSets& sets, const ReportSource& source) {
  RowReader reader(sets.inputs, sets.corpus, sets.inputs.fields);
  TextDiff diff(sets.settings.shingle.tokens);
  std::vector<ReportPair> pairs;
  for (const ReportEdge& edge : weakest_edges(source)) {
    const Decision decision = source.decisions.of(edge.row);
    ReportPair& pair = pairs.emplace_back();
    pair.similarity = edge.value;
    const Measure& measure = *sets.settings.measure;
    const Overlap overlap = decision.score.overlap();
    const ExactSimilarity part = measure.fraction(overlap);
    const bool of_union = measure.name.ends_with("jaccard");
    pair.shared = of_union ? overlap.shared : part.above;
    pair.united = of_union ? overlap.united : part.below;
    pair.of_root = part.of_root;
    pair.removed.row = report_row(source, edge.row);
    pair.kept.row = report_row(source, decision.survivor);
    const std::string text(reader.read(edge.row).text);
    const std::string_view kept = reader.read(decision.survivor).text;
    const bool is_at_hand = !kept.empty();  // an index may keep only the sets of its items
    diff.compare(text, is_at_hand ? kept : text, pair.removed, pair.kept);
    if (!is_at_hand) pair.kept.parts.clear();
  }
  return pairs;
}

void TellingLines::add(std::string_view text) {
  std::set<std::string_view> lines;
  visit_lines(text, [&](std::string_view line) {
    lines.insert(line);
    return false;
  });
  ++texts_;
  for (const std::string_view line : lines) ++texts_with_[std::string(line)];
}

bool TellingLines::is_common(std::string_view line) const {
  const auto found = texts_with_.find(std::string(line));
  return texts_ >= kLeastTexts && found != texts_with_.end() && found->second * 4 > texts_;
}

std::string TellingLines::of(std::string_view text) const {
  std::string_view first;
  std::string_view first_that_says;
  std::string_view chosen;
  visit_lines(text, [&](std::string_view line) {
    if (first.empty()) first = line;
    if (!says_something(line)) return false;
    if (first_that_says.empty()) first_that_says = line;
    if (!is_common(line)) chosen = line;
    return !chosen.empty();
  });
  if (chosen.empty()) chosen = first_that_says.empty() ? first : first_that_says;
  return std::string(chosen);
}

}  // namespace sosie
