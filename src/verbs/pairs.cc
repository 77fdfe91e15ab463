#include "verbs/pairs.h"

#include <fmt/format.h>

#include "corpus/rejects.h"
#include "decide/audit.h"
#include "decide/pair_note.h"
#include "join/pair_rows.h"
#include "join/run.h"
#include "join/top_pairs.h"
#include "report/summary.h"
#include "sosie/error.h"
#include "verbs/verbs.h"
#include "write/output_names.h"

namespace sosie {
namespace {

// From here on a run says how many pairs it is about to write.
constexpr std::uint64_t kManyPairs = 100'000'000;

void announce_many(const Run& run, std::uint64_t count) {
  if (!wanted_pairs(run.options).all() || count <= kManyPairs || !run.hooks.on_message) return;
  run.hooks.on_message(fmt::format(
      "about to write {} pairs; raise --threshold, or use --top, --top-pairs or --limit", count));
}

// Hands the pairs to the caller; returns how many.
std::uint64_t export_pairs(const Run& run, const PairRows& rows, PairOrder order, RowPairs& out) {
  for_each_wanted(run, rows, order, [&](std::span<const RowPair> some) {
    for (const RowPair& pair : some) {
      out.left.push_back(run.corpus.number_of(pair.left));
      out.right.push_back(run.corpus.number_of(pair.right));
      out.similarity.push_back(run.settings.measure->shown(pair.overlap));
    }
  });
  return out.left.size();
}

}  // namespace

RunReport write_similar_rows(Run& run, PairOrder order) {
  const Options& options = run.options;
  const RunHooks& hooks = run.hooks;
  check_outputs(run.inputs, {options.output, options.stats, options.rejects},
                result_of(options, hooks));
  const auto columns = pair_columns(run.settings.show, run.settings.measure->shown_name());
  std::optional<TableWriter> out;
  if (!options.output.empty()) {
    const std::string note = run.verb == "pairs" ? pair_note_of_sets(options) : std::string();
    out.emplace(options.output, columns, hooks.cancel, hooks.table_files, note);
  } else if (hooks.pairs == nullptr) {
    out.emplace(hooks.result_descriptor, columns, hooks.cancel);
  }
  std::optional<OutputFile> stats;
  check_json_name("--stats", options.stats, "the summary");
  if (!options.stats.empty()) stats.emplace(options.stats, hooks.cancel);
  std::optional<TableWriter> rejects;
  if (!options.rejects.empty())
    rejects.emplace(options.rejects, reject_columns(), hooks.cancel, hooks.table_files);
  run.may_spill = true;
  run.prepare();
  const std::unique_ptr<PairRows> rows = run.settings.lowers_threshold
                                             ? pairs_of_falling_thresholds(run, options.top_pairs)
                                             : run.similar_rows("comparing");
  announce_many(run, rows->count());
  RunReport report;
  PairCounts written;
  if (hooks.pairs != nullptr) written.pairs = export_pairs(run, *rows, order, *hooks.pairs);
  if (out) written = write_pair_table(run, *rows, order, *out);
  report.pairs = written.pairs;
  report.value_name = run.settings.measure->shown_name();
  RunSummary summary = run.summarize();
  summary.pairs = report.pairs;
  summary.rows_with_pairs = written.lefts;
  if (options.audit > 0) summary.audit = audit_pairs(run, *rows);
  if (rejects) {
    write_rejects(run.inputs, run.corpus, *rejects);
    rejects->finish();
  }
  if (stats) {
    stats->write(summary_json(summary));
    stats->finish();
  }
  require_unchanged(run.inputs);
  run.pool.check_cancelled();
  if (out) out->finish();
  if (rejects) rejects->commit();
  if (stats) stats->commit();
  if (out) out->commit();
  report.rows = summary.total.rows;
  report.audit_below_recall = summary.audit && summary.audit->below_recall;
  report.stats = summary_json(summary);
  report.summary = summary_text(summary);
  return report;
}

RunReport pairs_of_sets(const Options& options, const RunHooks& hooks) {
  Run run("pairs", options, hooks);
  return write_similar_rows(run, PairOrder::input);
}

}  // namespace sosie
