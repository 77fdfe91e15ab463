// Near-duplicates among items that lie in memory: vectors and bit strings.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "corpus/equal_items.h"
#include "corpus/identical.h"
#include "corpus/input_counts.h"
#include "corpus/ranking.h"
#include "corpus/rejects.h"
#include "corpus/row_names.h"
#include "decide/measured_audit.h"
#include "decide/pair_note.h"
#include "decide/ranked_components.h"
#include "decide/ranked_star.h"
#include "join/item_joiner.h"
#include "report/annotations.h"
#include "report/dedup_outputs.h"
#include "report/measured_report.h"
#include "report/measured_summary.h"
#include "report/side_tables.h"
#include "sosie/error.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// What a run keeps in memory of each row besides the items: where it lies, its rank, its survivor.
constexpr std::uint64_t kDedupRowBytes = 80;

std::vector<RowId> row_range(const RowRange& range) {
  std::vector<RowId> rows(range.size());
  std::iota(rows.begin(), rows.end(), range.begin);
  return rows;
}

class ItemDedup {
 public:
  ItemDedup(ItemJoiner& joiner, const Options& options, const RunHooks& hooks)
      : joiner_(joiner),
        options_(options),
        hooks_(hooks),
        settings_(joiner.settings()),
        facts_(joiner.bound().facts),
        pool_(settings_.threads, hooks.cancel) {
    if (!settings_.ranks_by_length()) return;
    throw Error(ErrorKind::invalid_option,
                fmt::format("--keep {}: {} have no length to rank by", options.keep, options.kind),
                "first, last, max:FIELD and min:FIELD rank them");
  }

  RunReport execute() {
    joiner_.read(pool_, hooks_, &places_);
    check_annotate(options_, inputs_);
    inputs_.own_names = &joiner_.own_ids();
    inputs_.against_names = &joiner_.other_ids();
    const std::uint64_t row_bytes = kDedupRowBytes + (options_.audit > 0 ? kAuditRowBytes : 0);
    joiner_.prepare({row_bytes, row_bytes, options_.audit > 0});
    outputs_ = open_outputs(
        {options_, hooks_, inputs_, pool_, pair_note(options_, facts_), facts_.value_name()});
    const std::vector<RowId> ranked = rank_rows(corpus_, settings_);
    items_ =
        collapse_under_leaders(corpus_, ranked, leaders_by_bytes(ranked.size(), [&](std::size_t i) {
                                 return joiner_.bytes_of(ranked[i]);
                               }));
    clusters_ = cluster();
    // What the two share is said by the measure's value, in clusters_.
    const Clusters clusters{clusters_.survivor, std::vector<Overlap>(items_.size(), Overlap{1, 1})};
    const Decisions decisions(inputs_, corpus_, items_, clusters);
    summarize(decisions);
    write_side_tables(decisions);
    if (outputs_.pairs) summary_.pairs = write_pairs();
    if (options_.audit > 0) summary_.audit = audit(decisions);
    write_rows(decisions);
    return finish(decisions);
  }

 private:
  // The pairs of one of `lefts` with one of `rights`, or of two of `lefts` when there are none, by
  // positions in each, sorted. Returns how many pairs were measured.
  std::uint64_t find_sorted(std::span<const RowId> lefts, std::span<const RowId> rights,
                            const EachPairs& each) {
    std::vector<RowId> rows(lefts.begin(), lefts.end());
    rows.insert(rows.end(), rights.begin(), rights.end());
    const std::size_t split = rights.empty() ? 0 : lefts.size();
    const auto past_split = static_cast<std::uint32_t>(split);
    std::vector<MeasuredPair> block;
    const EachPairs from_rights = [&](std::span<const MeasuredPair> pairs) {
      block.assign(pairs.begin(), pairs.end());
      for (MeasuredPair& pair : block) pair.right -= past_split;
      each(block);
    };
    if (!joiner_.hashes()) return joiner_.find(rows, split, from_rights);
    SortedPairs<MeasuredPair> sorted(*places_.scratch, joiner_.sort_bytes());
    const std::uint64_t measured =
        joiner_.find(rows, split, [&](std::span<const MeasuredPair> pairs) { sorted.add(pairs); });
    sorted.finish();
    for_each_block(sorted, [&](std::span<const MeasuredPair> pairs) {
      from_rights(pairs);
      return true;
    });
    return measured;
  }

  std::uint64_t between(std::span<const RowId> lefts, std::span<const RowId> rights,
                        const EachPairs& each) {
    return lefts.empty() || rights.empty() ? 0 : find_sorted(lefts, rights, each);
  }
  std::uint64_t within(std::span<const RowId> rows, const EachPairs& each) {
    return rows.empty() ? 0 : find_sorted(rows, {}, each);
  }

  [[nodiscard]] std::vector<RowId> rows_of(std::span<const Place> places) const {
    std::vector<RowId> rows(places.size());
    std::transform(places.begin(), places.end(), rows.begin(),
                   [this](Place place) { return items_.rows[place]; });
    return rows;
  }

  [[nodiscard]] RankedClusters cluster() {
    RankedStarSteps steps;
    steps.between = [this](std::span<const Place> lefts, std::span<const Place> rights,
                           const EachPairs& each) {
      return between(rows_of(lefts), rows_of(rights), each);
    };
    steps.within = [this](std::span<const Place> places, const EachPairs& each) {
      return within(rows_of(places), each);
    };
    if (joiner_.hashes()) steps.most_at_once = kNoPlace;
    steps.progress = [this](std::size_t done) {
      if (hooks_.on_progress) hooks_.on_progress({"comparing", done, items_.size()});
    };
    if (options_.clustering == "star") {
      return ranked_star(items_.size(), items_.fixed, pool_, steps);
    }
    return ranked_components(items_.size(), items_.fixed, pool_, steps,
                             [this](Place survivor, Place removed) {
                               return joiner_.value(items_.rows[survivor], items_.rows[removed]);
                             });
  }

  void summarize(const Decisions& decisions) {
    static_cast<JoinFacts&>(summary_) = joiner_.facts();
    summary_.verb = "dedup";
    summary_.facts = facts_;
    summary_.threads = settings_.threads;
    summary_.candidates = clusters_.measured;
    RunSummary counts;
    counts.verb = "dedup";
    counts.kind = summary_.kind;
    counts.dry_run = options_.dry_run;
    counts.all_written = options_.annotate == "all" && !counts.dry_run;
    count_inputs(inputs_, corpus_, counts);
    decisions.count(counts);
    const RowId largest = decisions.largest_group();
    if (largest != kNoRow) {
      counts.largest.rows = decisions.group_rows(largest);
      RowNames names(inputs_, corpus_, {}, pool_);
      counts.largest.id = names.look_up({&largest, 1}).front().id;
    }
    summary_.rows = counts.total.rows;
    summary_.has_against = counts.against.given;
    summary_.against_rows = counts.against.rows;
    summary_.dedup = std::move(counts);
  }

  // What the measure says of a row and its survivor.
  [[nodiscard]] double value_of(RowId row, const Decision& decision) const {
    const double of_equal = facts_.is_similarity ? 1 : 0;
    return decision.identical ? of_equal : clusters_.value[items_.place_of[row]];
  }

  void write_side_tables(const Decisions& decisions) {
    const SideTableSource source{
        inputs_, corpus_, *places_.scratch, settings_.memory_bytes,
        [this](RowId row, const Decision& decision) { return value_of(row, decision); }};
    if (hooks_.decisions != nullptr) export_decisions(source, decisions, *hooks_.decisions);
    RowNames names(inputs_, corpus_, {}, pool_);
    if (outputs_.rejects) write_rejects(inputs_, corpus_, *outputs_.rejects);
    if (outputs_.removed) write_removed(source, decisions, names, *outputs_.removed);
    if (outputs_.clusters) write_clusters(source, decisions, names, *outputs_.clusters);
  }

  [[nodiscard]] PairCounts write_pairs() {
    const bool across = corpus_.first_own_row > 0;
    const ItemIds& own = joiner_.own_ids();
    PairSink sink(options_, facts_, {own, across ? joiner_.other_ids() : own}, outputs_.pairs.get(),
                  {*places_.scratch, settings_.memory_bytes / 8});
    const EachPairs add = [&](std::span<const MeasuredPair> pairs) { sink.add(pairs); };
    const std::vector<RowId> rows = row_range(joiner_.own());
    if (across) {
      between(rows, row_range(joiner_.others()), add);
    } else {
      within(rows, add);
    }
    return sink.finish();
  }

  void write_rows(const Decisions& decisions) {
    const std::string& annotate = options_.annotate;
    const KeepRow keep = [&](RowId row) {
      return row >= corpus_.first_own_row && (annotate == "all" || !decisions.is_removed(row));
    };
    Annotations annotations(inputs_, corpus_, decisions);
    const RowEdits edits = annotate.empty() ? RowEdits{} : annotations.edits();
    const KeepRow removed = [&](RowId row) {
      return row >= corpus_.first_own_row && decisions.is_removed(row);
    };
    outputs_.write({inputs_, corpus_, pool_, hooks_}, keep, edits, removed);
  }

  // Reported: each removed row with its survivor.
  [[nodiscard]] AuditFacts audit(const Decisions& decisions) {
    MeasuredAudit audit(
        audited_join(joiner_, {options_, hooks_, pool_}, {0, static_cast<RowId>(corpus_.rows)}));
    for (RowId row = corpus_.first_own_row; row < corpus_.rows; ++row) {
      const RowId survivor = decisions.of(row).survivor;
      if (survivor != row && survivor != kNoRow) audit.add_reported(row, survivor);
    }
    return audit.measure();
  }

  void write_report(const Decisions& decisions) {
    RowNames names(inputs_, corpus_, {}, pool_);
    const ReportSource source{
        inputs_,
        corpus_,
        decisions,
        names,
        [this](RowId row, const Decision& decision) { return value_of(row, decision); },
        facts_.is_similarity};
    write_measured_report(options_, source, summary_, *outputs_.report);
  }

  RunReport finish(const Decisions& decisions) {
    measure_run(summary_, started_);
    if (outputs_.report) write_report(decisions);
    if (outputs_.stats) outputs_.stats->write(measured_summary_json(summary_));
    require_unchanged(inputs_);
    pool_.check_cancelled();
    outputs_.commit();
    const InputCounts& total = summary_.dedup->total;
    RunReport report;
    report.rows = total.rows;
    report.kept = total.kept;
    report.removed = total.identical + total.near;
    report.pairs = summary_.pairs.pairs;
    report.audit_below_recall = summary_.audit && summary_.audit->below_recall;
    report.stats = measured_summary_json(summary_);
    report.value_name = facts_.value_name();
    report.summary = measured_summary_text(summary_);
    return report;
  }

  ItemJoiner& joiner_;
  const Options& options_;
  const RunHooks& hooks_;
  const Settings& settings_;
  const BoundFacts& facts_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  ThreadPool pool_;
  ItemPlaces places_;
  const Corpus& corpus_ = places_.corpus;
  Inputs& inputs_ = places_.inputs;
  DedupOutputs outputs_;
  MeasuredSummary summary_;
  Items items_;
  RankedClusters clusters_;
};

}  // namespace

RunReport dedup_items(MakeJoiner make, const Options& options, const RunHooks& hooks) {
  const auto joiner = make("dedup", options);
  return ItemDedup(*joiner, options, hooks).execute();
}

}  // namespace sosie
