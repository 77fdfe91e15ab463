#include "verbs/measured_dedup.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "corpus/equal_items.h"
#include "corpus/identical.h"
#include "corpus/input_counts.h"
#include "corpus/ranking.h"
#include "corpus/row_names.h"
#include "decide/pair_note.h"
#include "decide/ranked_components.h"
#include "report/annotations.h"
#include "report/dedup_outputs.h"
#include "report/measured_report.h"
#include "report/side_tables.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::vector<RowId> row_range(RowId begin, RowId end) {
  std::vector<RowId> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

class Deduper {
 public:
  Deduper(const MeasuredDedup& run, MeasuredSummary summary)
      : run_(run),
        corpus_(run.places.corpus),
        inputs_(run.places.inputs),
        outputs_(open_outputs({run.options, run.hooks, inputs_, run.pool,
                               pair_note(run.options, run.facts), run.facts.value_name()})),
        summary_(std::move(summary)) {
    summary_.verb = "dedup";
    summary_.facts = run.facts;
    summary_.threads = run.settings.threads;
  }

  RunReport execute(const ItemIds& ids, const ItemIds& against_ids) {
    const std::vector<RowId> ranked = rank_rows(corpus_, run_.settings);
    items_ = collapse_under_leaders(
        corpus_, ranked,
        leaders_by_bytes(ranked.size(), [&](std::size_t i) { return run_.bytes_of(ranked[i]); }));
    clusters_ = cluster();
    summary_.candidates = clusters_.measured;
    // What the two share is said by the measure's value, in clusters_.
    const Clusters clusters{clusters_.survivor, std::vector<Overlap>(items_.size(), Overlap{1, 1})};
    const Decisions decisions(inputs_, corpus_, items_, clusters);
    count(decisions);
    write_side_tables(decisions);
    if (outputs_.pairs) summary_.pairs = write_pairs(ids, against_ids);
    if (run_.options.audit > 0) summary_.audit = audit(decisions);
    write_rows(decisions);
    return finish(decisions);
  }

 private:
  [[nodiscard]] std::vector<RowId> rows_of(std::span<const Place> places) const {
    std::vector<RowId> rows(places.size());
    std::transform(places.begin(), places.end(), rows.begin(),
                   [this](Place place) { return items_.rows[place]; });
    return rows;
  }

  [[nodiscard]] RankedClusters cluster() const {
    RankedStarSteps steps;
    steps.between = [this](std::span<const Place> lefts, std::span<const Place> rights,
                           const EachPairs& each) {
      return run_.between(rows_of(lefts), rows_of(rights), each);
    };
    steps.within = [this](std::span<const Place> places, const EachPairs& each) {
      return run_.within(rows_of(places), each);
    };
    steps.most_at_once = run_.most_at_once;
    steps.progress = [this](std::size_t done) {
      if (run_.hooks.on_progress) run_.hooks.on_progress({"comparing", done, items_.size()});
    };
    if (run_.options.clustering == "star") {
      return ranked_star(items_.size(), items_.fixed, run_.pool, steps);
    }
    return ranked_components(items_.size(), items_.fixed, run_.pool, steps,
                             [this](Place survivor, Place removed) {
                               return run_.value(items_.rows[survivor], items_.rows[removed]);
                             });
  }

  void count(const Decisions& decisions) {
    RunSummary counts;
    counts.verb = "dedup";
    counts.kind = summary_.kind;
    counts.dry_run = run_.options.dry_run;
    counts.all_written = run_.options.annotate == "all" && !counts.dry_run;
    count_inputs(inputs_, corpus_, counts);
    decisions.count(counts);
    const RowId largest = decisions.largest_group();
    if (largest != kNoRow) {
      counts.largest.rows = decisions.group_rows(largest);
      RowNames names(inputs_, corpus_, {}, run_.pool);
      counts.largest.id = names.look_up({&largest, 1}).front().id;
    }
    summary_.rows = counts.total.rows;
    summary_.has_against = counts.against.given;
    summary_.against_rows = counts.against.rows;
    summary_.dedup = std::move(counts);
  }

  // What the measure says of a row and its survivor.
  [[nodiscard]] double value_of(RowId row, const Decision& decision) const {
    const double of_equal = run_.facts.is_similarity ? 1 : 0;
    return decision.identical ? of_equal : clusters_.value[items_.place_of[row]];
  }

  void write_side_tables(const Decisions& decisions) {
    const SideTableSource source{
        inputs_, corpus_, *run_.places.scratch, run_.settings.memory_bytes,
        [this](RowId row, const Decision& decision) { return value_of(row, decision); }};
    if (run_.hooks.decisions != nullptr) {
      export_decisions(source, decisions, *run_.hooks.decisions);
    }
    RowNames names(inputs_, corpus_, {}, run_.pool);
    if (outputs_.removed) write_removed(source, decisions, names, *outputs_.removed);
    if (outputs_.clusters) write_clusters(source, decisions, names, *outputs_.clusters);
  }

  [[nodiscard]] PairCounts write_pairs(const ItemIds& ids, const ItemIds& against_ids) const {
    const bool across = corpus_.first_own_row > 0;
    PairSink sink(run_.options, run_.facts, {ids, across ? against_ids : ids}, outputs_.pairs.get(),
                  {*run_.places.scratch, run_.settings.memory_bytes / 8});
    const EachPairs add = [&](std::span<const MeasuredPair> pairs) { sink.add(pairs); };
    const auto own = row_range(corpus_.first_own_row, corpus_.rows);
    if (across) {
      run_.between(own, row_range(0, corpus_.first_own_row), add);
    } else {
      run_.within(own, add);
    }
    return sink.finish();
  }

  void write_rows(const Decisions& decisions) {
    const std::string& annotate = run_.options.annotate;
    const KeepRow keep = [&](RowId row) {
      return row >= corpus_.first_own_row && (annotate == "all" || !decisions.is_removed(row));
    };
    Annotations annotations(inputs_, corpus_, decisions);
    const RowEdits edits = annotate.empty() ? RowEdits{} : annotations.edits();
    const KeepRow removed = [&](RowId row) {
      return row >= corpus_.first_own_row && decisions.is_removed(row);
    };
    outputs_.write({inputs_, corpus_, run_.pool, run_.hooks}, keep, edits, removed);
  }

  // Reported: each removed row with its survivor.
  [[nodiscard]] AuditFacts audit(const Decisions& decisions) const {
    AuditedRun audited{.options = run_.options,
                       .settings = run_.settings,
                       .hooks = run_.hooks,
                       .pool = run_.pool,
                       .facts = run_.facts,
                       .bound = run_.bound,
                       .own = {corpus_.first_own_row, corpus_.rows},
                       .partners = {0, corpus_.rows},
                       .bytes_of = run_.bytes_of,
                       .truth = run_.truth,
                       .found = {},
                       .measure = run_.measure};
    if (!run_.leaves_nothing_out) {
      audited.found = [this](std::span<const RowId> lefts, std::span<const RowId> rights,
                             const EachPairs& each) { run_.between(lefts, rights, each); };
    }
    MeasuredAudit audit(audited);
    for (RowId row = corpus_.first_own_row; row < corpus_.rows; ++row) {
      const RowId survivor = decisions.of(row).survivor;
      if (survivor != row && survivor != kNoRow) audit.add_reported(row, survivor);
    }
    return audit.measure();
  }

  void write_report(const Decisions& decisions) {
    RowNames names(inputs_, corpus_, {}, run_.pool);
    const ReportSource source{
        inputs_,
        corpus_,
        decisions,
        names,
        [this](RowId row, const Decision& decision) { return value_of(row, decision); },
        run_.facts.is_similarity};
    write_measured_report(run_.options, source, summary_, *outputs_.report);
  }

  RunReport finish(const Decisions& decisions) {
    measure_run(summary_, started_);
    if (outputs_.report) write_report(decisions);
    if (outputs_.stats) outputs_.stats->write(measured_summary_json(summary_));
    require_unchanged(inputs_);
    run_.pool.check_cancelled();
    outputs_.commit();
    const InputCounts& total = summary_.dedup->total;
    RunReport report;
    report.rows = total.rows;
    report.kept = total.kept;
    report.removed = total.identical + total.near;
    report.pairs = summary_.pairs.pairs;
    report.audit_below_recall = summary_.audit && summary_.audit->below_recall;
    report.stats = measured_summary_json(summary_);
    report.value_name = run_.facts.value_name();
    report.summary = measured_summary_text(summary_);
    return report;
  }

  const MeasuredDedup& run_;
  const Corpus& corpus_;
  const Inputs& inputs_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  DedupOutputs outputs_;
  MeasuredSummary summary_;
  Items items_;
  RankedClusters clusters_;
};

}  // namespace

void check_dedup_options(const Options& options, const Settings& settings, std::string_view kind) {
  if (settings.ranks_by_length()) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--keep {}: {} have no length to rank by", options.keep, kind),
                "first, last, max:FIELD and min:FIELD rank them");
  }
}

void join_by_hashes(const decltype(HashedJoin::join)& join, std::uint64_t sort_bytes,
                    MeasuredDedup& run) {
  const auto sorted = [join, sort_bytes, &run](std::span<const RowId> rows, std::size_t split,
                                               const EachPairs& each) -> std::uint64_t {
    SortedPairs<MeasuredPair> pairs(*run.places.scratch, sort_bytes);
    const std::uint64_t measured =
        join(rows, split, [&](std::span<const MeasuredPair> some) { pairs.add(some); });
    const auto past_split = static_cast<std::uint32_t>(split);
    std::vector<MeasuredPair> block;
    pairs.finish();
    for_each_block(pairs, [&](std::span<const MeasuredPair> some) {
      block.assign(some.begin(), some.end());
      for (MeasuredPair& pair : block) pair.right -= past_split;
      each(block);
      return true;
    });
    return measured;
  };
  run.between = [sorted](std::span<const RowId> lefts, std::span<const RowId> rights,
                         const EachPairs& each) -> std::uint64_t {
    if (lefts.empty() || rights.empty()) return 0;
    std::vector<RowId> rows(lefts.begin(), lefts.end());
    rows.insert(rows.end(), rights.begin(), rights.end());
    return sorted(rows, lefts.size(), each);
  };
  run.within = [sorted](std::span<const RowId> rows, const EachPairs& each) {
    return sorted(rows, 0, each);
  };
  run.most_at_once = kNoPlace;
}

RunReport write_measured_dedup(const MeasuredDedup& run, const ItemIds& ids,
                               const ItemIds& against_ids, MeasuredSummary summary) {
  check_annotate(run.options, run.places.inputs);
  run.places.inputs.own_names = &ids;
  run.places.inputs.against_names = &against_ids;
  return Deduper(run, std::move(summary)).execute(ids, against_ids);
}

}  // namespace sosie
