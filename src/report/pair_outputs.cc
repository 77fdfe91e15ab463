// The outputs of `pairs` and `query`.
#include "report/pair_outputs.h"

#include "corpus/rows/rejects.h"
#include "decide/pair_note.h"
#include "options/formats.h"
#include "options/output_names.h"
#include "report/pair_writer.h"
#include "report/summary.h"

namespace sosie {

PairOutputs::PairOutputs(std::string_view verb, const Options& options, const Settings& settings,
                         const RunHooks& hooks, const BoundFacts& facts)
    : hooks_(hooks) {
  std::vector<std::string> shown = settings.show;
  if (shows_compared(options)) shown.emplace_back("compared");
  const auto columns = pair_columns(shown, facts.value_name());
  if (!options.output.empty()) {
    const std::string note = verb == "pairs" ? pair_note(options, facts) : std::string();
    table_.emplace(options.output, table_format_of(options.output), columns, hooks.cancel,
                   hooks.table_files, note);
  } else if (hooks.pairs == nullptr) {
    table_.emplace(hooks.result_descriptor, columns, hooks.cancel);
  }
  check_json_name("--stats", options.stats, "the summary");
  if (!options.stats.empty()) stats_.emplace(options.stats, hooks.cancel);
  if (!options.rejects.empty()) {
    rejects_.emplace(options.rejects, table_format_of(options.rejects), reject_columns(),
                     hooks.cancel, hooks.table_files);
  }
  if (table_ && (stats_ || rejects_)) table_->outlive_reader();
}

RunReport PairOutputs::finish(const std::function<RunSummary()>& summarize, ThreadPool& pool,
                              const std::function<void()>& is_unchanged) {
  if (rejects_) rejects_->finish();
  is_unchanged();
  pool.check_cancelled();
  if (hooks_.on_progress) hooks_.on_progress({"finishing", 0, 0});
  if (table_) table_->finish();
  RunReport report = report_of(summarize());
  if (stats_) {
    stats_->write(report.stats);
    stats_->finish();
  }
  if (rejects_) rejects_->commit();
  if (stats_) stats_->commit();
  if (table_) table_->commit();
  return report;
}

}  // namespace sosie
