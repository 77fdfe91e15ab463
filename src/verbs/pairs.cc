// pairs, and queries whose input is complete: lists similar pairs.
#include "corpus/rows/rejects.h"
#include "join/sets/set_run.h"
#include "options/output_options.h"
#include "report/pair_writer.h"
#include "verbs/engine.h"
#include "verbs/verbs.h"

namespace sosie {

namespace {

RunReport list_pairs(Engine& engine, VerbBit verb, const Options& options, const RunHooks& hooks) {
  const Inputs& inputs = engine.inputs();
  check_outputs(inputs, options, result_of(options, hooks));
  PairOutputs outputs(verb, options, engine.settings(), hooks, engine.facts());
  engine.prepare();
  const PairFields fields{engine.facts(), engine.settings().show,
                          shows_compared(options) ? engine.compared_text() : Engine::TextOfRow{},
                          [&](RowId row) { return engine.row_of_pair(row); }};
  PairWriter writer(inputs, engine.corpus(), fields, engine.pool(), outputs.table(), hooks.pairs);
  if (options.exclude_self) {
    writer.leave_out_own({pair_selection(options), engine.facts(), engine.scratch()});
  }
  engine.list_pairs(verb == kQuery ? PairOrder::best_first : PairOrder::input,
                    [&](std::span<const ScoredPair> pairs) { writer.add(pairs); });
  const PairCounts written = writer.finish();
  RunSummary summary = engine.summarize();
  summary.pairs = written.pairs;
  summary.rows_with_pairs = written.lefts;
  if (options.audit > 0) summary.audit = engine.audit_pairs();
  if (outputs.rejects() != nullptr) write_rejects(inputs, engine.corpus(), *outputs.rejects());
  const auto measured = [&] {
    engine.measure(summary);
    return summary;
  };
  return outputs.finish(measured, engine.pool(), [&] { engine.require_unchanged(); });
}

}  // namespace

RunReport pairs_with(Engine& engine, VerbBit verb, const Options& options, const RunHooks& hooks) {
  return resumable(engine, [&] { return list_pairs(engine, verb, options, hooks); });
}

}  // namespace sosie
