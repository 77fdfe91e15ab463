#include "report/pair_outputs.h"

#include "decide/pair_note.h"
#include "options/formats.h"
#include "options/output_names.h"

namespace sosie {

PairOutputs::PairOutputs(std::string_view verb, const Options& options, const RunHooks& hooks,
                         const BoundFacts& facts) {
  const std::vector<std::string> columns = {"left", "right", facts.value_name()};
  if (!options.output.empty()) {
    const std::string note = verb == "pairs" ? pair_note(options, facts) : std::string();
    table_.emplace(options.output, table_format_of(options.output), columns, hooks.cancel,
                   hooks.table_files, note);
  } else if (hooks.pairs == nullptr) {
    table_.emplace(hooks.result_descriptor, columns, hooks.cancel);
  }
  check_json_name("--stats", options.stats, "the summary");
  if (!options.stats.empty()) stats_.emplace(options.stats, hooks.cancel);
}

RunReport PairOutputs::finish(const MeasuredSummary& summary, ThreadPool& pool) {
  if (stats_) {
    stats_->write(measured_summary_json(summary));
    stats_->finish();
  }
  pool.check_cancelled();
  if (table_) table_->finish();
  if (stats_) stats_->commit();
  if (table_) table_->commit();
  RunReport report;
  report.rows = summary.rows;
  report.pairs = summary.pairs.pairs;
  report.audit_below_recall = summary.audit && summary.audit->below_recall;
  report.stats = measured_summary_json(summary);
  report.value_name = summary.facts.value_name();
  report.summary = measured_summary_text(summary);
  return report;
}

}  // namespace sosie
