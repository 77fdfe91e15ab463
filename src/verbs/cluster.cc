// Groups of the pairs that an earlier run has found.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cluster/components.h"
#include "cluster/pair_star.h"
#include "core/rational_bounds.h"
#include "corpus/table_file.h"
#include "decide/pair_graph.h"
#include "decide/pair_note.h"
#include "join/run.h"
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
  if (!options.within.empty()) return PairBound{*parse_upper_bound(options.within), false};
  require_fraction(options);
  return threshold ? std::optional(PairBound{*parse_rational(options.threshold), true})
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

// Groups of two or more by their survivor's rank, members by theirs.
GroupCounts write_groups(const PairGraph& graph, const Clusters& clusters, TableWriter& out) {
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
    out.row({graph.ids[p], graph.ids[survivor], p == survivor, sizes[survivor]});
  }
  counts.items = members.size();
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
  TableFile file(path, scratch, hooks, settings.memory_bytes);
  const std::optional<PairBound> bound = asked_bound(options);
  const AskedOfPairs asked{
      .path = path,
      .threshold = is_given(options, "threshold") ? options.threshold : std::string(),
      .within = options.within,
      .measure = {},
      .bag_union = {}};
  PairFile pair_file(file.reader(), bound);
  require_fitting(pair_file, bound, file.reader(), path);
  check_pair_note(file.note(), asked);
  TableWriter out = options.output.empty()
                        ? TableWriter(hooks.result_descriptor, cluster_columns(), hooks.cancel)
                        : TableWriter(options.output, table_format_of(options.output),
                                      cluster_columns(), hooks.cancel, hooks.table_files);
  const PairGraph graph = read_pair_graph(pair_file, scratch, {settings.memory_bytes});
  tell_of_pair_note(file.note(), asked, options, hooks);
  RunReport report;
  report.rows = graph.ids.size();
  report.pairs = graph.pair_count;
  const auto items = static_cast<Place>(graph.ids.size());
  const PairSource pairs = source_of(*graph.pairs);
  const Clusters clusters = options.clustering == "components" ? component_clusters(items, pairs)
                                                               : star_of_pairs(items, pairs);
  const GroupCounts counts = write_groups(graph, clusters, out);
  file.require_unchanged();
  out.finish();
  out.commit();
  report.removed = counts.items - counts.groups;
  report.summary = fmt::format(
      "pairs       {} of {} items\ngroups      {}; {} items in them, {} beside the kept\n",
      report.pairs, report.rows, counts.groups, counts.items, report.removed);
  return report;
}

}  // namespace sosie
