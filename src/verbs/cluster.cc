// Groups of the pairs that an earlier run has found.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cluster/components.h"
#include "cluster/star.h"
#include "core/count_text.h"
#include "core/rational.h"
#include "corpus/table_file.h"
#include "decide/pair_file.h"
#include "decide/pair_note.h"
#include "join/sets/set_run.h"
#include "options/bounds.h"
#include "options/formats.h"
#include "report/side_tables.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {
namespace {

// Without --threshold or --within all pairs of the file count: it was made with one.
std::optional<PairBound> asked_bound(const Options& options) {
  const bool threshold = is_given(options, "threshold");
  if (threshold && !options.within.empty()) {
    throw Error(ErrorKind::invalid_option, "--within: cannot go with --threshold",
                "a pairs file tells similarities or distances, not both");
  }
  if (!options.within.empty())
    return PairBound{*parse_bound(options.within, BoundSide::not_above), false};
  require_fraction(options);
  return threshold
             ? std::optional(PairBound{*parse_bound(options.threshold, BoundSide::not_below), true})
             : std::nullopt;
}

// A bound of distances says nothing of similarities, and the other way round.
void require_fitting(const PairFile& file, const std::optional<PairBound>& bound,
                     const TableReader& table, const std::string& path) {
  if (!bound || table.columns().empty() || bound->is_similarity != file.tells_distances()) return;
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("{}: tells {}", path, file.tells_distances() ? "distances" : "similarities"),
      file.tells_distances() ? "say --within D in place of --threshold"
                             : "say --threshold S in place of --within");
}

struct GroupCounts {
  std::uint64_t groups = 0;
  std::uint64_t items = 0;  // in groups
};

std::string groups_line(const GroupCounts& counts) {
  return fmt::format("groups      {}; {} items in them, {} beside the kept\n",
                     count_text(counts.groups), count_text(counts.items),
                     count_text(counts.items - counts.groups));
}

// Hands over groups of two or more by their survivor's rank, members by theirs.
template <typename Take>
GroupCounts take_groups(const PairGraph& graph, const Clusters& clusters, const Take& take) {
  std::vector<std::uint64_t> sizes(graph.ids.size());
  for (const Place survivor : clusters.survivor) ++sizes[survivor];
  std::vector<Place> members;
  GroupCounts counts;
  for (Place p = 0; p < graph.ids.size(); ++p) {
    if (sizes[clusters.survivor[p]] < 2) continue;
    members.push_back(p);
    counts.groups += clusters.survivor[p] == p ? 1U : 0U;
  }
  std::stable_sort(members.begin(), members.end(),
                   [&](Place a, Place b) { return clusters.survivor[a] < clusters.survivor[b]; });
  for (const Place p : members) {
    const Place survivor = clusters.survivor[p];
    take(graph.ids[p], graph.ids[survivor], sizes[survivor]);
  }
  counts.items = members.size();
  return counts;
}

// Where the groups go: into a table, to the caller, or both.
class GroupOutputs {
 public:
  GroupOutputs(const Options& options, const RunHooks& hooks) : groups_(hooks.groups) {
    if (!options.output.empty()) {
      table_.emplace(options.output, table_format_of(options.output), cluster_columns(),
                     hooks.cancel, hooks.table_files);
    } else if (groups_ == nullptr) {
      table_.emplace(hooks.result_descriptor, cluster_columns(), hooks.cancel);
    }
  }

  void add(const std::string& id, const std::string& survivor, std::uint64_t size) {
    if (table_) table_->row({id, survivor, id == survivor, size});
    if (groups_ == nullptr) return;
    groups_->id.push_back(id);
    groups_->survivor.push_back(survivor);
    groups_->size.push_back(size);
  }

  void commit() {
    if (!table_) return;
    table_->finish();
    table_->commit();
  }

 private:
  ItemGroups* groups_;
  std::optional<TableWriter> table_;
};

// True for a file of groups, as `sosie link` writes it.
bool tells_groups(const TableReader& table) {
  return table.has_column("id") && table.has_column("cluster_id") && !table.has_column("left");
}

// Groups of two and more of a file of groups; with a bound, groups whose weakest pair reaches it.
GroupCounts copy_groups(TableReader& table, const std::optional<PairBound>& bound,
                        const std::string& path, GroupOutputs& out) {
  const bool has_weakest = table.has_column("weakest");
  if (bound && (!bound->is_similarity || !has_weakest)) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: its groups tell {}", path,
                            has_weakest ? "probabilities" : "no weakest pair"),
                has_weakest ? "say --threshold P in place of --within" : "leave the bound out");
  }
  const std::size_t id = table.column("id");
  const std::size_t cluster = table.column("cluster_id");
  const std::size_t size = table.column("size");
  const std::size_t weakest = has_weakest ? table.column("weakest") : 0;
  const auto number = [&](std::size_t column, double most) {
    const auto value = parse_value(table.cells()[column], most);
    if (value) return *value;
    throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
                fmt::format("'{}' is no {}", table.cells()[column],
                            column == size ? "size" : "probability"));
  };
  GroupCounts counts;
  while (table.next()) {
    const auto rows = static_cast<std::uint64_t>(number(size, 1e15));
    if (rows < 2) continue;
    const std::string& text = table.cells()[weakest];
    if (bound && !is_within(number(weakest, 1), text, false, *bound)) continue;
    ++counts.items;
    counts.groups += table.cells()[id] == table.cells()[cluster] ? 1U : 0U;
    out.add(table.cells()[id], table.cells()[cluster], rows);
  }
  return counts;
}

}  // namespace

RunReport cluster(const Options& options, const RunHooks& hooks) {
  if (options.inputs.size() != 1) {
    throw Error(ErrorKind::invalid_option, "cluster: takes one pairs file");
  }
  const std::string& path = options.inputs.front();
  check_outputs(std::vector<std::string>{path}, {options.output}, result_of(options, hooks));
  const Settings settings = resolve_run(options);
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  TableFile file(path, scratch, hooks, settings.memory_bytes, options.memory_files);
  const std::optional<PairBound> bound = asked_bound(options);
  const PairsFileRequirements asked{
      .path = path,
      .threshold = is_given(options, "threshold") ? options.threshold : std::string(),
      .within = options.within,
      .measure = {},
      .bag_union = {}};
  if (tells_groups(file.reader())) {
    GroupOutputs out(options, hooks);
    const GroupCounts counts = copy_groups(file.reader(), bound, path, out);
    file.require_unchanged();
    out.commit();
    RunReport report;
    report.rows = counts.items;
    report.removed = counts.items - counts.groups;
    report.summary = groups_line(counts);
    return report;
  }
  PairFile pair_file(file.reader(), bound, PairValues::or_probabilities);
  require_fitting(pair_file, bound, file.reader(), path);
  check_pair_note(file.note(), asked);
  GroupOutputs out(options, hooks);
  const PairGraph graph = read_pair_graph(pair_file, scratch, {settings.memory_bytes});
  tell_of_pair_note(file.note(), asked, options, hooks);
  RunReport report;
  report.rows = graph.ids.size();
  report.pairs = graph.pair_count;
  const auto items = static_cast<Place>(graph.ids.size());
  const PairSource pairs = source_of(*graph.pairs);
  const Clusters clusters = options.clustering == "components" ? component_clusters(items, pairs)
                                                               : star_of_pairs(items, pairs);
  const GroupCounts counts =
      take_groups(graph, clusters, [&](const auto&... group) { out.add(group...); });
  file.require_unchanged();
  out.commit();
  report.removed = counts.items - counts.groups;
  report.summary = fmt::format("pairs       {} of {} items\n", count_text(report.pairs),
                               count_text(report.rows)) +
                   groups_line(counts);
  return report;
}

}  // namespace sosie
