#include <algorithm>

#include "cluster/components.h"
#include "cluster/star.h"
#include "pipeline/decisions.h"
#include "pipeline/dedup_outputs.h"
#include "pipeline/kept_rows.h"
#include "pipeline/pair_table.h"
#include "pipeline/row_names.h"
#include "pipeline/run.h"
#include "pipeline/side_tables.h"
#include "pipeline/summary.h"
#include "sosie/join.h"

namespace sosie {
namespace {

class Dedup {
 public:
  Dedup(const Options& options, const RunHooks& hooks)
      : run_("dedup", options, hooks), outputs_(open_outputs(run_)) {}

  RunReport execute() {
    run_.prepare();
    const std::uint64_t unverified = removed_by_components();
    const Decisions decisions(run_.inputs, run_.corpus, run_.items, cluster());
    RunSummary summary = run_.summarize();
    decisions.count(summary);
    const std::uint64_t removed = summary.total.identical + summary.total.near;
    if (!run_.choice.brute) summary.unverified_extra = unverified - std::min(unverified, removed);
    RowNames names(run_.inputs, run_.corpus, {}, run_.pool);
    describe_largest(decisions, names, summary);
    if (outputs_.removed) write_removed(run_, decisions, names, *outputs_.removed);
    if (outputs_.clusters) write_clusters(run_, decisions, names, *outputs_.clusters);
    if (outputs_.pairs) summary.pairs = write_pairs();
    if (outputs_.kept) {
      write_kept_rows(
          run_.inputs, run_.corpus, [&](RowId row) { return decisions.is_kept(row); }, run_.pool,
          run_.hooks, *outputs_.kept);
    }
    return finish(std::move(summary));
  }

 private:
  Clusters cluster() {
    Matcher& matcher = *run_.matcher;
    StarSteps steps;
    steps.prune = [&](unsigned worker, Place item, std::vector<Place>& candidates) {
      matcher.prune(worker, item, candidates);
    };
    steps.first_match = [&](unsigned worker, Place item, std::span<const Place> candidates) {
      return matcher.first_match(worker, item, candidates);
    };
    steps.progress = run_.progress("comparing");
    return star_clusters(matcher.buckets(), matcher.buckets_of(), run_.pool, steps);
  }

  // How many rows connected components of all buckets would leave out, nothing verified.
  [[nodiscard]] std::uint64_t removed_by_components() const {
    if (run_.choice.brute) return 0;
    return run_.items.size() - count_components(run_.matcher->buckets(), run_.items.size()) +
           run_.items.copies.size();
  }

  void describe_largest(const Decisions& decisions, RowNames& names, RunSummary& summary) {
    const RowId largest = decisions.largest_group();
    if (largest == kNoRow) return;
    summary.largest.rows = decisions.group_rows(largest);
    summary.largest.id = names.look_up({&largest, 1}).front().id;
    RowReader reader(run_.inputs, run_.corpus, run_.inputs.fields);
    const std::string_view text = reader.read(largest).text;
    const auto start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    summary.largest.line = text.substr(start, text.find('\n', start) - start);
  }

  std::uint64_t write_pairs() {
    const PairRows rows(
        run_.corpus, run_.items,
        verified_pairs(*run_.matcher, run_.items.size(), run_.pool, run_.progress("pairing")));
    return write_pair_table(run_, rows, *outputs_.pairs);
  }

  RunReport finish(RunSummary summary) {
    summary.dry_run = run_.options.dry_run;
    summary.output = run_.options.output;
    run_.measure(summary);
    if (outputs_.stats) outputs_.stats->write(summary_json(summary));
    outputs_.commit();
    RunReport report;
    report.rows = summary.total.rows;
    report.kept = summary.total.kept;
    report.removed = summary.total.identical + summary.total.near;
    report.pairs = summary.pairs;
    report.summary = summary_text(summary);
    return report;
  }

  Run run_;
  DedupOutputs outputs_;
};

}  // namespace

RunReport dedup(const Options& options, const RunHooks& hooks) {
  return Dedup(options, hooks).execute();
}

}  // namespace sosie
