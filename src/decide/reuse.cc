// Reuses the pairs or clusters of an earlier run instead of comparing rows again.
#include "decide/reuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/count_text.h"
#include "core/memory_budget.h"
#include "corpus/rank_rows.h"
#include "corpus/rows/row_names.h"
#include "data/kinds.h"
#include "decide/pair_note.h"
#include "decide/ranked_star.h"
#include "join/sets/set_run.h"
#include "options/bounds.h"
#include "options/output_options.h"
#include "options/tells.h"
#include "sosie/error.h"
#include "store/index_options.h"

namespace sosie {
namespace {

RowId row_called(RowIds& ids, const std::string& id, const TableReader& table) {
  if (const auto row = ids.find(id)) return row_id(*row);
  throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
              fmt::format("no input row has the id '{}'", id),
              "--reuse needs files made from the same inputs with the same --id");
}

// The rows named by pairs; each id is looked up only once.
class RowsById {
 public:
  RowsById(const ReuseSource& run, const TableReader& table)
      : ids_(run.inputs, run.corpus), table_(table) {}

  RowId operator[](const std::string& id) {
    const auto [at, added] = rows_.emplace(id, kNoRow);
    if (added) at->second = row_called(ids_, id, table_);
    return at->second;
  }

 private:
  RowIds ids_;
  const TableReader& table_;
  std::unordered_map<std::string, RowId> rows_;
};

bool to_bool(const std::string& text, const TableReader& table) {
  for (const char* yes : {"true", "True", "TRUE", "1"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"false", "False", "FALSE", "0"}) {
    if (text == no) return false;
  }
  throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
              fmt::format("kept is '{}', not true or false", text));
}

PairsFileRequirements pairs_file_requirements(const Options& options) {
  const bool of_text = told_kind(options.kind) == kTextItems;
  return {.path = options.reuse.front(),
          .threshold = options.threshold,
          .within = options.within,
          .measure = options.measure,
          .bag_union = options.bag_union,
          .shingle = of_text ? options.shingle : std::string(),
          .tokens = of_text ? options.tokens : std::string(),
          .clean = options.kind == kStringItems ? options.clean : std::string(),
          .ignore_common = options.ignore_common.empty() ? "none" : options.ignore_common,
          .represent = options.represent.empty() ? "none" : options.represent,
          .of_one_collection = true};
}

// Throws if the file at `path` lists a pair with two different similarities.
void refuse_contradictions(const SortedPairs<VerifiedPair>& pairs, const std::string& path) {
  VerifiedPair last{kNoPlace, kNoPlace, {}};
  pairs.for_each([&](const VerifiedPair& pair) {
    if (sort_key(pair) == sort_key(last) && pair.overlap != last.overlap) {
      throw Error(ErrorKind::malformed_input, BadPlace{path},
                  fmt::format("gives two similarities for the same pair, {:.6f} and {:.6f}",
                              last.overlap.jaccard(), pair.overlap.jaccard()),
                  "recreate the pairs");
    }
    last = pair;
    return true;
  });
}

// Throws unless the file states this value to six decimals; otherwise, it may be about other items.
void require_value(const PairFile& file, double value) {
  constexpr double kSlack = 1e-6;
  if (std::abs(file.value() - value) <= kSlack * (1 + std::abs(value))) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}: gives {:.6f} for '{}' and '{}', but the rows now have {:.6f}",
                          file.place(), file.value(), file.left(), file.right(), value),
              "--reuse needs files made from the same inputs with the same --id");
}

// A row listed in a clusters file.
struct Listed {
  RowId row;
  std::uint32_t cluster;  // numbered in the file's order
  bool kept;
};

// The lines of a clusters file. Groups from link do not mark the kept row, which is the row that
// cluster_id names or, with --keep, the best-ranked row. They also list single rows, which decide
// nothing; bad rows among these have no id.
class ClustersFile {
 public:
  ClustersFile(const ReuseSource& run, TableReader& table) : run_(run) {
    RowIds ids(run.inputs, run.corpus);
    const std::size_t id = table.column("id");
    const std::size_t cluster_id = table.column("cluster_id");
    const bool says_kept = table.has_column("kept");
    const std::size_t kept = says_kept ? table.column("kept") : id;
    const bool lists_singles = !says_kept && table.has_column("size");
    const std::size_t size = lists_singles ? table.column("size") : id;
    const bool by_rank = !says_kept && is_given(run.options, "keep");
    std::vector<bool> seen(run.corpus.rows);
    std::unordered_map<std::string, std::uint32_t> clusters;
    while (table.next()) {
      const auto& cells = table.cells();
      if (lists_singles && cells[size] == "1") continue;
      const RowId row = row_called(ids, cells[id], table);
      if (seen[row]) {
        throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
                    fmt::format("id '{}' is listed twice", cells[id]),
                    "keep one of its lines: an item belongs to only one cluster");
      }
      seen[row] = true;
      const auto next = static_cast<std::uint32_t>(survivors.size());
      // Rows without a cluster_id form groups of one.
      const std::uint32_t cluster = cells[cluster_id].empty()
                                        ? next
                                        : clusters.emplace(cells[cluster_id], next).first->second;
      if (cluster == next) survivors.push_back(kNoRow);
      lines.push_back({row, cluster, !says_kept || to_bool(cells[kept], table)});
      const bool names_cluster = cells[id] == cells[cluster_id];
      if (lines.back().kept) offer(cluster, row, names_cluster && !by_rank);
    }
    if (says_kept) return;
    for (Listed& line : lines) line.kept = survivors[line.cluster] == line.row;
  }

  std::vector<Listed> lines;
  std::vector<RowId> survivors;  // by cluster; kNoRow if no row is kept

 private:
  void offer(std::uint32_t cluster, RowId row, bool names_cluster) {
    named_.resize(survivors.size());
    RowId& survivor = survivors[cluster];
    if (named_[cluster]) return;
    if (survivor == kNoRow || names_cluster || ranks_before(row, survivor)) survivor = row;
    named_[cluster] = names_cluster;
  }

  [[nodiscard]] bool ranks_before(RowId left, RowId right) const {
    const RowNumber own = run_.corpus.first_own_row;
    if (left < own || right < own) return left < right;
    return sosie::ranks_before(run_.corpus, run_.settings, left, right);
  }

  const ReuseSource& run_;
  std::vector<bool> named_;  // true if cluster_id names the survivor
};

}  // namespace

ReusedFile::ReusedFile(const ReuseSource& run)
    : run_(run),
      file_(run.options.reuse.front(), run.scratch, run.hooks, run.settings.memory_bytes),
      table_(file_.reader()) {
  const auto has = [&](std::string_view name) { return table_.has_column(name); };
  holds_pairs_ = has("left") && has("right");
  if (holds_pairs_) check_pair_note(file_.note(), pairs_file_requirements(run.options));
  if (holds_pairs_ || table_.columns().empty() || (has("id") && has("cluster_id"))) return;
  throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
              "neither a pairs nor a clusters file",
              "a pairs file has the columns left, right, similarity; a clusters file has id, "
              "cluster_id, and kept if the rows to keep are chosen");
}

void ReusedFile::for_each_pair(const std::optional<PairBound>& bound, const EachListed& each) {
  RowsById rows(run_, table_);
  PairFile file(table_, bound);
  while (file.next()) {
    const Place left = run_.items.place_of[rows[file.left()]];
    const Place right = run_.items.place_of[rows[file.right()]];
    // Equal items count as a single item, and rows without an item match nothing.
    if (left == right || left == kNoPlace || right == kNoPlace) continue;
    each(std::min(left, right), std::max(left, right), file);
  }
}

void ReusedFile::tell_of_note() const {
  tell_of_pair_note(file_.note(), pairs_file_requirements(run_.options), run_.options, run_.hooks);
}

std::vector<RowDecision> ReusedFile::decisions(const ScoreRemovals& score) {
  std::vector<RowDecision> of_row(run_.corpus.rows);
  for (RowId row = 0; row < run_.corpus.rows; ++row) of_row[row].survivor = row;
  if (table_.columns().empty()) return of_row;
  const ClustersFile file(run_, table_);
  tell_of_unkept(file.survivors);
  std::vector<Removal> removals;
  for (const Listed& line : file.lines) {
    if (line.kept) continue;
    const RowId survivor = file.survivors[line.cluster];
    const Place place = run_.items.place_of[line.row];
    const Place other = survivor == kNoRow ? kNoPlace : run_.items.place_of[survivor];
    const bool compared = place != kNoPlace && other != kNoPlace;
    of_row[line.row] = {survivor, {}, compared && place == other};
    if (compared && place != other) removals.push_back({line.row, survivor});
  }
  const std::vector<Score> scores = score(removals);
  for (std::size_t i = 0; i < removals.size(); ++i) of_row[removals[i].row].score = scores[i];
  return of_row;
}

// People may have edited the file deliberately.
void ReusedFile::tell_of_unkept(std::span<const RowId> survivors) const {
  const auto unkept = std::count(survivors.begin(), survivors.end(), kNoRow);
  if (unkept == 0 || !tells(run_.options, run_.hooks)) return;
  run_.hooks.on_message(unkept == 1
                            ? fmt::format("{}: 1 cluster keeps no row: all its rows are removed",
                                          run_.options.reuse.front())
                            : fmt::format("{}: {} clusters keep no row: all their rows are removed",
                                          run_.options.reuse.front(),
                                          count_text(static_cast<std::uint64_t>(unkept))));
}

std::unique_ptr<ReusedFile> open_reused(const ReuseSource& run) {
  const Options& o = run.options;
  if (o.reuse.empty()) return nullptr;
  check_outputs(o.reuse, o);
  const auto refuse = [](std::string_view name, std::string_view reason) {
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)},
                fmt::format("cannot be combined with --reuse, {}", reason));
  };
  if (!o.against.empty()) refuse("against", "which knows the ids of one collection only");
  if (!o.pairs.empty()) refuse("pairs", "which compares nothing");
  if (o.audit > 0) refuse("audit", "which compares nothing");
  return std::make_unique<ReusedFile>(run);
}

std::unique_ptr<SortedRecords<VerifiedPair>> reused_pairs_of_sets(const ReuseSource& run,
                                                                  ReusedFile& file) {
  auto pairs = std::make_unique<SortedRecords<VerifiedPair>>(
      run.scratch, MemoryBudget{run.settings.memory_bytes}.sorts());
  file.for_each_pair(PairBound{run.settings.threshold},
                     [&](Place left, Place right, const PairFile& listed) {
                       const VerifiedPair pair{left, right, listed.overlap()};
                       pairs->add({&pair, 1});
                     });
  pairs->finish();
  refuse_contradictions(*pairs, run.options.reuse.front());
  file.tell_of_note();
  return pairs;
}

RankedClusters reused_clusters_of_items(const ReuseSource& run, ReusedFile& file,
                                        const ReusedMeasures& measures, const ThreadPool& pool) {
  SortedPairs<ScoredPair> pairs(run.scratch, MemoryBudget{run.settings.memory_bytes}.sorts());
  file.for_each_pair({}, [&](Place left, Place right, const PairFile& listed) {
    require_value(listed, measures.value(left, right));
    const auto value = measures.measure(left, right);
    if (!value) return;
    const ScoredPair pair{left, right, *value};
    pairs.add({&pair, 1});
  });
  pairs.finish();
  file.tell_of_note();
  const Place items = run.items.size();
  if (run.options.clustering == "star") return star_of_measured(items, pairs);
  RankedStarSteps steps;
  steps.between = [](auto, auto, auto&) { return 0; };
  steps.within = [&](std::span<const Place> /*all*/, const EachPairs& each) {
    for_each_block(pairs, [&](std::span<const ScoredPair> some) {
      each(some);
      return true;
    });
    return 0;
  };
  return ranked_components(items, 0, pool, steps, measures.value);
}

}  // namespace sosie
