// dedup: keeps one row in each group of near-duplicates.
#include <algorithm>
#include <optional>

#include "corpus/rows/rejects.h"
#include "corpus/rows/row_names.h"
#include "decide/pair_note.h"
#include "report/annotations.h"
#include "report/dedup_outputs.h"
#include "report/pair_writer.h"
#include "report/save_run.h"
#include "report/side_tables.h"
#include "report/summary.h"
#include "sosie/error.h"
#include "verbs/engine.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

class Dedup {
 public:
  Dedup(Engine& engine, const Options& options, const RunHooks& hooks)
      : engine_(engine), options_(options), hooks_(hooks), inputs_(engine.inputs()) {
    if (!options.annotate.empty()) check_annotate(inputs_, decision_field_names());
    if (inputs_.grouped && hooks.decisions != nullptr) {
      throw Error(
          ErrorKind::unsupported, RefusedOption{"group-by"},
          "decisions for each row are not supported",
          "use the command `sosie dedup FILE --group-by`, which writes the rows of kept sets");
    }
    outputs_ = open_outputs({options, hooks, inputs_, engine.pool(),
                             pair_note(options, engine.facts()), engine.facts().value_name()});
  }

  RunReport execute() {
    engine_.prepare();
    const Decisions decisions = engine_.decide();
    enter("listing");
    RowNames names(inputs_, engine_.corpus(), {}, engine_.pool());
    if (hooks_.decisions != nullptr) export_decisions(tables(), decisions, *hooks_.decisions);
    if (outputs_.removed) write_removed(tables(), decisions, names, *outputs_.removed);
    if (outputs_.clusters) write_clusters(tables(), decisions, names, *outputs_.clusters);
    RunSummary summary = summarize(decisions, names);
    if (outputs_.pairs) summary.pairs = write_pairs();
    if (options_.audit > 0) summary.audit = engine_.audit(decisions);
    if (outputs_.rejects) write_rejects(inputs_, engine_.corpus(), *outputs_.rejects);
    engine_.forget_items();
    write_rows(decisions);
    if (outputs_.report || outputs_.saved) write_page(decisions, names, summary);
    engine_.require_unchanged();
    engine_.pool().check_cancelled();
    enter("finishing");
    outputs_.finish();
    engine_.measure(summary);
    if (outputs_.stats) outputs_.stats->write(summary_json(summary));
    outputs_.commit();
    return report_of(summary);
  }

 private:
  // Reports a new stage that has no progress numbers, or none yet.
  void enter(std::string_view stage) const {
    if (hooks_.on_progress) hooks_.on_progress({stage, 0, 0});
  }

  [[nodiscard]] std::function<double(RowNumber, const Decision&)> value() const {
    return [this](RowNumber row, const Decision& decision) { return engine_.value(row, decision); };
  }

  [[nodiscard]] SideTableSource tables() const {
    SideTableSource source = {inputs_,           engine_.corpus(),
                              engine_.scratch(), engine_.settings().memory_bytes,
                              value(),           engine_.facts()};
    if (names_passages(options_)) {
      source.passage = [this](RowNumber row, RowNumber other) {
        return engine_.passage_of(row, other);
      };
    }
    return source;
  }

  [[nodiscard]] RunSummary summarize(const Decisions& decisions, RowNames& names) {
    RunSummary summary = engine_.summarize();
    summary.dry_run = options_.dry_run;
    summary.output = options_.output;
    summary.all_written = options_.annotate == "all" && !summary.dry_run;
    decisions.count(summary, engine_.pool());
    if (summary.unverified_extra) {
      const std::uint64_t removed = summary.total.identical + summary.total.near;
      *summary.unverified_extra -= std::min(*summary.unverified_extra, removed);
    }
    const RowNumber largest = decisions.largest_group();
    if (largest == kNoRowNumber) return summary;
    summary.largest = {decisions.group_rows(largest), names.look_up({&largest, 1}).front().id,
                       engine_.line_of(largest)};
    return summary;
  }

  std::uint64_t write_pairs() {
    const PairFields fields{.facts = engine_.facts(),
                            .row_of = [this](RowId row) { return engine_.row_of_pair(row); }};
    PairWriter writer(inputs_, engine_.corpus(), fields, engine_.pool(), outputs_.pairs.get(),
                      nullptr);
    engine_.list_pairs(PairOrder::input,
                       [&](std::span<const ScoredPair> pairs) { writer.add(pairs); });
    return writer.finish().pairs;
  }

  void write_rows(const Decisions& decisions) {
    const Corpus& corpus = engine_.corpus();
    const std::string& annotate = options_.annotate;
    const KeepRow keep = [&](RowNumber row) {
      return row >= corpus.first_own_row && (annotate == "all" || !decisions.is_removed(row));
    };
    std::optional<Annotations> annotations;
    if (!annotate.empty()) {
      annotations.emplace(inputs_, corpus, decision_fields(inputs_, corpus, decisions));
    }
    const RowEdits edits = annotations ? annotations->edits() : RowEdits{};
    const KeepRow removed = [&](RowNumber row) {
      return row >= corpus.first_own_row && decisions.is_removed(row);
    };
    outputs_.write({inputs_, corpus, engine_.pool(), hooks_}, keep, edits, removed);
  }

  void write_page(const Decisions& decisions, RowNames& names, const RunSummary& summary) {
    const auto value = [this](RowNumber row, const Decision& decision) {
      return engine_.page_value(row, decision);
    };
    const ReportSource source{
        inputs_, engine_.corpus(), decisions, names, value, engine_.page_is_similarity()};
    enter("reporting");
    ReportPage page;
    page.summary = summary;
    engine_.describe(source, page);
    complete_page(options_, source, page);
    if (outputs_.saved) {
      const auto line = [this](RowNumber row) { return engine_.line_of(row); };
      const auto measure = [&] { engine_.measure(page.summary); };
      save_run(options_,
               {source, engine_.scratch(), engine_.settings().memory_bytes, hooks_, line, measure},
               page, *outputs_.saved);
    }
    if (!outputs_.report) return;
    enter("reporting");
    engine_.measure(page.summary);
    write_report(page, *outputs_.report);
  }

  Engine& engine_;
  const Options& options_;
  const RunHooks& hooks_;
  const Inputs& inputs_;
  DedupOutputs outputs_;
};

}  // namespace

RunReport dedup_with(Engine& engine, const Options& options, const RunHooks& hooks) {
  return resumable(engine, [&] { return Dedup(engine, options, hooks).execute(); });
}

}  // namespace sosie
