#include "pipeline/pair_outputs.h"

namespace sosie {
namespace {

TableWriter open_table(const Options& options, const RunHooks& hooks, const BoundFacts& facts) {
  const std::vector<std::string> columns = {"left", "right", facts.value_name()};
  if (options.output.empty()) return {hooks.result_descriptor, columns, hooks.cancel};
  return {options.output, columns, hooks.cancel};
}

}  // namespace

PairOutputs::PairOutputs(const Options& options, const RunHooks& hooks, const BoundFacts& facts)
    : table_(open_table(options, hooks, facts)) {
  if (!options.stats.empty()) stats_.emplace(options.stats, hooks.cancel);
}

RunReport PairOutputs::finish(const MeasuredSummary& summary, ThreadPool& pool) {
  if (stats_) {
    stats_->write(measured_summary_json(summary));
    stats_->finish();
  }
  pool.check_cancelled();
  table_.finish();
  if (stats_) stats_->commit();
  table_.commit();
  RunReport report;
  report.rows = summary.rows;
  report.pairs = summary.pairs;
  report.summary = measured_summary_text(summary);
  return report;
}

}  // namespace sosie
