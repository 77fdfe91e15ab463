// Verb cluster: groups the pairs of an earlier run.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

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
#include "options/output_options.h"
#include "options/tells.h"
#include "report/side_tables.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {
namespace {

// Without --threshold or --within, all pairs in the file count, because the file already has a
// bound.
std::optional<PairBound> asked_bound(const Options& options) {
  const bool threshold = is_given(options, "threshold");
  if (threshold && !options.within.empty()) {
    throw Error(ErrorKind::invalid_option, "--within: cannot be combined with --threshold",
                "a pairs file gives similarities or distances, not both");
  }
  if (!options.within.empty())
    return PairBound{*parse_bound(options.within, BoundSide::not_above), false};
  require_fraction(options);
  return threshold
             ? std::optional(PairBound{*parse_bound(options.threshold, BoundSide::not_below), true})
             : std::nullopt;
}

// Rejects a distance bound for a file of similarities, and vice versa.
void require_fitting(const PairFile& file, const std::optional<PairBound>& bound,
                     const TableReader& table, const std::string& path) {
  if (!bound || table.columns().empty() || bound->is_similarity != file.tells_distances()) return;
  throw Error(
      ErrorKind::invalid_option,
      fmt::format("{}: contains {}", path, file.tells_distances() ? "distances" : "similarities"),
      file.tells_distances() ? "use --within D instead of --threshold"
                             : "use --threshold S instead of --within");
}

struct GroupCounts {
  std::uint64_t groups = 0;
  std::uint64_t items = 0;  // in groups
};

std::string groups_line(const GroupCounts& counts) {
  return fmt::format("groups      {}; {} items in them, {} besides the kept items\n",
                     count_text(counts.groups), count_text(counts.items),
                     count_text(counts.items - counts.groups));
}

// Passes on the groups of two or more in the order of their survivors' ranks, with members in the
// order of their own ranks.
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

// Writes the groups to a table, to the caller, or to both.
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

// True for a file of groups, as written by `sosie link`.
bool tells_groups(const TableReader& table) {
  return table.has_column("id") && table.has_column("cluster_id") && !table.has_column("left");
}

// The groups of two or more in a groups file; with a bound, only groups whose weakest pair is
// within the bound.
class GroupCopy {
 public:
  GroupCopy(TableReader& table, const std::optional<PairBound>& bound, const std::string& path)
      : table_(table),
        bound_(bound),
        path_(path),
        id_(table.column("id")),
        cluster_(table.column("cluster_id")),
        size_(table.column("size")) {
    const bool has_weakest = table.has_column("weakest");
    if (has_weakest) weakest_ = table.column("weakest");
    if (!bound || (bound->is_similarity && has_weakest)) return;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: its groups have {}", path,
                            has_weakest ? "probabilities" : "no weakest pair"),
                has_weakest ? "use --threshold P instead of --within" : "leave the bound out");
  }

  GroupCounts run(GroupOutputs& out) {
    GroupCounts counts;
    while (table_.next()) {
      const std::string& id = table_.cells()[id_];
      if (id.empty() && table_.cells()[cluster_].empty()) continue;  // a kept bad row
      if (!ids_.insert(id).second) refuse(fmt::format("id '{}' occurs twice", id));
      const Group& group = group_of_row();
      if (group.size < 2 || !reaches_bound(group)) continue;
      ++counts.items;
      counts.groups += id == table_.cells()[cluster_] ? 1U : 0U;
      out.add(id, table_.cells()[cluster_], group.size);
    }
    for (const auto& [name, group] : groups_) {
      if (group.rows == group.size && group.has_first) continue;
      throw Error(ErrorKind::malformed_input, BadPlace{path_},
                  fmt::format("group '{}' has {} of its {} rows{}", name, group.rows, group.size,
                              group.has_first ? "" : ", none of them with its name as id"));
    }
    return counts;
  }

 private:
  struct Group {
    std::uint64_t size = 0;
    std::string weakest = {};
    std::uint64_t rows = 0;
    bool has_first = false;  // the row after which the group is named
  };

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()}, reason);
  }

  const Group& group_of_row() {
    const std::string& text = table_.cells()[size_];
    Group row;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), row.size);
    if (error != std::errc{} || end != text.data() + text.size() || row.size == 0) {
      refuse(fmt::format("'{}' is not a size", text));
    }
    if (weakest_) row.weakest = table_.cells()[*weakest_];
    const std::string& name = table_.cells()[cluster_];
    Group& group = groups_.try_emplace(name, row).first->second;
    if (group.size != row.size || group.weakest != row.weakest) {
      refuse(fmt::format("group '{}' has a different size or weakest pair above", name));
    }
    ++group.rows;
    group.has_first = group.has_first || table_.cells()[id_] == name;
    return group;
  }

  bool reaches_bound(const Group& group) const {
    if (!bound_) return true;
    const auto value = parse_value(group.weakest, 1);
    if (!value) refuse(fmt::format("'{}' is not a probability", group.weakest));
    return is_within(*value, group.weakest, false, *bound_);
  }

  TableReader& table_;
  const std::optional<PairBound>& bound_;
  const std::string& path_;
  std::size_t id_;
  std::size_t cluster_;
  std::size_t size_;
  std::optional<std::size_t> weakest_;
  std::unordered_set<std::string> ids_;
  std::unordered_map<std::string, Group> groups_;
};

}  // namespace

RunReport cluster(const Options& options, const RunHooks& hooks) {
  if (options.inputs.size() != 1) {
    throw Error(ErrorKind::invalid_option, "cluster: expected one pairs file");
  }
  const std::string& path = options.inputs.front();
  check_outputs(std::vector{path}, options, result_of(options, hooks));
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
    if (is_given(options, "clustering")) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"clustering", options.clustering},
                  "forms groups from pairs, but " + path + " holds groups");
    }
    GroupOutputs out(options, hooks);
    const GroupCounts counts = GroupCopy(file.reader(), bound, path).run(out);
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
  const bool measured = pair_file.tells_values() && !pair_file.tells_probabilities();
  if (measured) tell_of_pair_note(file.note(), asked, options, hooks);
  if (!pair_file.tells_values() && tells(options, hooks)) {
    hooks.on_message(path + ": no column similarity or distance, so every pair counts");
  }
  if (pair_file.tells_probabilities() && tells(options, hooks)) {
    hooks.on_message(path + ": links; equal ids of the two collections count as one item here");
  }
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
