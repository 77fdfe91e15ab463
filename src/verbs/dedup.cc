#include <algorithm>

#include "cluster/components.h"
#include "corpus/rejects.h"
#include "corpus/row_names.h"
#include "decide/audit.h"
#include "decide/decisions.h"
#include "decide/grouping.h"
#include "decide/pair_note.h"
#include "join/run.h"
#include "report/annotations.h"
#include "report/dedup_outputs.h"
#include "report/pair_table.h"
#include "report/report_clusters.h"
#include "report/report_page.h"
#include "report/side_tables.h"
#include "report/summary.h"
#include "sosie/error.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

class Dedup {
 public:
  Dedup(const Options& options, const RunHooks& hooks)
      : run_("dedup", options, hooks), reused_(open_reused(run_)) {
    check_annotate(run_.options, run_.inputs);
    if (run_.inputs.grouped && hooks.decisions != nullptr) {
      throw Error(ErrorKind::unsupported, "--group-by: no decisions row by row yet",
                  "the command `sosie dedup FILE --group-by` writes the rows of kept sets");
    }
    outputs_ = open_outputs({options, hooks, run_.inputs, run_.pool, pair_note_of_sets(options),
                             std::string(run_.settings.measure->shown_name())});
  }

  RunReport execute() {
    run_.may_spill = run_.options.reuse.empty();
    run_.prepare();
    std::uint64_t unverified = 0;
    LookAtDecisions look;
    look.at_batch = [&](const Decisions& some, std::span<const RowId> rows) {
      unverified += removed_by_components();
      if (outputs_.report) add_bucket_components(run_, some, rows, components_);
    };
    look.at_large = [&](const LargeComponent& large) {
      unverified += large.own_rows - (large.own_rows == large.rows ? 1 : 0);
      for (const RowId row : large.largest) components_[row] = {large.rows, large.survivors};
    };
    const Decisions decisions = decide(run_, reused_.get(), look);
    if (run_.hooks.decisions != nullptr) {
      export_decisions(side_table_source(), decisions, *run_.hooks.decisions);
    }
    RunSummary summary = run_.summarize();
    decisions.count(summary);
    if (!run_.choice.finds_every_pair()) {
      const std::uint64_t removed = summary.total.identical + summary.total.near;
      summary.unverified_extra = unverified - std::min(unverified, removed);
    }
    RowNames names(run_.inputs, run_.corpus, {}, run_.pool);
    describe_largest(decisions, names, summary);
    write_side_tables(decisions, names);
    if (outputs_.pairs) summary.pairs = write_pairs();
    if (run_.options.audit > 0) summary.audit = audit_dedup(run_, decisions);
    if (outputs_.rejects) write_rejects(run_.inputs, run_.corpus, *outputs_.rejects);
    write_rows(decisions);
    return finish(std::move(summary), decisions, names);
  }

 private:
  // How many rows connected components of all buckets would leave out, nothing verified.
  [[nodiscard]] std::uint64_t removed_by_components() const {
    if (run_.choice.finds_every_pair()) return 0;
    const Items& items = run_.items;
    std::uint64_t rows = 0;  // of the run itself that take part
    for (Place p = items.fixed; p < items.size(); ++p) rows += items.rows_of(p);
    return rows - count_components(run_.matcher->buckets(), items.size(), items.fixed);
  }

  void describe_largest(const Decisions& decisions, RowNames& names, RunSummary& summary) const {
    const RowId largest = decisions.largest_group();
    if (largest == kNoRow) return;
    summary.largest.rows = decisions.group_rows(largest);
    summary.largest.id = names.look_up({&largest, 1}).front().id;
    RowReader reader(run_.inputs, run_.corpus, run_.inputs.fields);
    const std::string_view text = reader.read(largest).text;
    const auto start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    summary.largest.line = text.substr(start, text.find('\n', start) - start);
  }

  [[nodiscard]] SideTableSource side_table_source() const {
    return {run_.inputs, run_.corpus, *run_.scratch, run_.settings.memory_bytes,
            [this](RowId /*row*/, const Decision& decision) {
              return run_.settings.measure->shown(decision.overlap);
            }};
  }

  void write_side_tables(const Decisions& decisions, RowNames& names) {
    const SideTableSource source = side_table_source();
    if (outputs_.removed) write_removed(source, decisions, names, *outputs_.removed);
    if (outputs_.clusters) write_clusters(source, decisions, names, *outputs_.clusters);
  }

  void write_rows(const Decisions& decisions) {
    const std::string& annotate = run_.options.annotate;
    const KeepRow keep = [&](RowId row) {
      return row >= run_.corpus.first_own_row && (annotate == "all" || !decisions.is_removed(row));
    };
    Annotations annotations(run_.inputs, run_.corpus, decisions);
    const RowEdits edits = annotate.empty() ? RowEdits{} : annotations.edits();
    const KeepRow removed = [&](RowId row) {
      return row >= run_.corpus.first_own_row && decisions.is_removed(row);
    };
    outputs_.write({run_.inputs, run_.corpus, run_.pool, run_.hooks}, keep, edits, removed);
  }

  std::uint64_t write_pairs() {
    return write_pair_table(run_, *run_.similar_rows("pairing"), PairOrder::input, *outputs_.pairs)
        .pairs;
  }

  RunReport finish(RunSummary summary, const Decisions& decisions, RowNames& names) {
    summary.dry_run = run_.options.dry_run;
    summary.output = run_.options.output;
    summary.all_written = run_.options.annotate == "all" && !summary.dry_run;
    run_.measure(summary);
    if (outputs_.stats) outputs_.stats->write(summary_json(summary));
    if (outputs_.report) {
      const ReportSource source{run_.inputs, run_.corpus, decisions, names,
                                [this](RowId /*row*/, const Decision& decision) {
                                  return run_.settings.measure->similarity(decision.overlap);
                                }};
      write_report(run_, source, components_, summary, *outputs_.report);
    }
    require_unchanged(run_.inputs);
    if (reused_) reused_->require_unchanged();
    run_.pool.check_cancelled();
    outputs_.commit();
    RunReport report;
    report.rows = summary.total.rows;
    report.kept = summary.total.kept;
    report.removed = summary.total.identical + summary.total.near;
    report.pairs = summary.pairs;
    report.audit_below_recall = summary.audit && summary.audit->below_recall;
    report.stats = summary_json(summary);
    report.value_name = run_.settings.measure->shown_name();
    report.summary = summary_text(summary);
    return report;
  }

  Run run_;
  std::unique_ptr<ReusedFile> reused_;  // null without --reuse
  DedupOutputs outputs_;
  BucketComponents components_;
};

}  // namespace

RunReport dedup_sets(const Options& options, const RunHooks& hooks) {
  return Dedup(options, hooks).execute();
}

}  // namespace sosie
