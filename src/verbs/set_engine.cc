// Engine for texts, sets and bags: scans rows once and rereads them to verify pairs.
#include <fmt/format.h>

#include "cluster/components.h"
#include "decide/audit.h"
#include "decide/decide.h"
#include "join/sets/match_part.h"
#include "join/sets/set_run.h"
#include "join/sets/top_rows.h"
#include "options/tells.h"
#include "report/describe_items.h"
#include "report/explain_sets.h"
#include "report/report_clusters.h"
#include "sosie/error.h"
#include "verbs/engine.h"

namespace sosie {
namespace {

// A run that is about to write at least this many pairs announces their number.
constexpr std::uint64_t kPairsWorthAWarning = 100'000'000;

class SetEngine final : public Engine {
 public:
  SetEngine(VerbBit verb, const Options& options, const RunHooks& hooks)
      : run_(verb, options, hooks),
        facts_(facts_of_sets(options, run_.settings.lowers_threshold)),
        reused_(verb == kDedup ? open_reused(reuse_source(run_)) : nullptr) {
    if (reused_ && reused_->holds_pairs()) check_reused_measure();
  }

  [[nodiscard]] const Settings& settings() const override { return run_.settings; }
  [[nodiscard]] const BoundFacts& facts() const override { return facts_; }
  [[nodiscard]] ThreadPool& pool() override { return run_.pool; }
  [[nodiscard]] Scratch& scratch() override { return *run_.scratch; }
  [[nodiscard]] const Inputs& inputs() const override { return run_.inputs; }
  [[nodiscard]] const Corpus& corpus() const override { return run_.corpus; }

  void prepare() override {
    run_.looks_up_ids = run_.verb == kExplain;
    run_.may_spill = !reused_ && !run_.options.explain_all;  // which shows the buckets of all rows
    run_.prepare();
  }

  [[nodiscard]] Decisions decide() override {
    std::uint64_t unverified = 0;
    DecisionObserver look;
    look.at_batch = [&](const Decisions& some, std::span<const RowNumber> rows) {
      unverified += removed_by_components();
      const bool shown = !run_.options.report.empty() || is_given(run_.options, "save");
      if (shown) add_bucket_components(run_, some, rows, components_);
    };
    look.at_large = [&](const LargeComponent& large) {
      unverified += large.own_rows - (large.own_rows == large.rows ? 1 : 0);
      for (const RowNumber row : large.largest) components_[row] = {large.rows, large.survivors};
    };
    Decisions decisions = sosie::decide(run_, reused_.get(), look);
    if (!run_.choice.finds_every_pair()) unverified_ = unverified;
    return decisions;
  }

  [[nodiscard]] PartVerdicts match_part(const MatchPart& part) override {
    return sosie::match_part(run_, part);
  }

  [[nodiscard]] double value(RowNumber row, const Decision& decision) const override {
    if (decision.is_same(row)) return facts_.is_similarity ? 1 : 0;
    return run_.settings.measure->shown(decision.score.overlap());
  }
  [[nodiscard]] double page_value(RowNumber row, const Decision& decision) const override {
    return decision.is_same(row) ? 1 : run_.settings.measure->similarity(decision.score.overlap());
  }
  [[nodiscard]] bool page_is_similarity() const override { return true; }

  void list_pairs(PairOrder order, const EachPairs& each) override {
    found_ = run_.settings.lowers_threshold
                 ? most_similar_rows(run_)
                 : run_.similar_rows(run_.verb == kDedup ? "pairing" : "comparing");
    announce_many(found_->count());
    choose_pairs(order, each);
    if (run_.options.audit == 0) found_.reset();
  }

  [[nodiscard]] RowNumber row_of_pair(RowId row) const override { return run_.row_of_pair(row); }

  [[nodiscard]] AuditFacts audit(const Decisions& decisions) override {
    return audit_dedup(audited_sets(run_), decisions);
  }
  [[nodiscard]] AuditFacts audit_pairs() override { return sosie::audit_pairs(run_, *found_); }

  [[nodiscard]] RunSummary summarize() override {
    RunSummary summary = run_.summarize();
    summary.unverified_extra = unverified_;
    summary.is_similarity = facts_.is_similarity;
    if (!facts_.is_similarity) summary.within = facts_.bound;
    return summary;
  }
  void forget_items() override {
    if (run_.matcher) run_.matcher->forget_sets();
  }
  void measure(RunSummary& summary) const override { run_.measure(summary); }

  [[nodiscard]] std::string line_of(RowNumber row) override {
    if (!line_) line_ = telling_lines(compared_sets(run_));
    return line_(row);
  }

  [[nodiscard]] std::string passage_of(RowNumber row, RowNumber other) override {
    return longest_passage(run_, row, other);
  }

  [[nodiscard]] bool takes_part(RowNumber row) const override {
    if (run_.is_spilled()) return run_.corpus.state(row) == RowState::normal;
    return run_.items.place_of[row] != kNoPlace;
  }
  void explain(RowNumber left, RowNumber right, Explanation& e) override {
    e.same_text =
        takes_part(left) && takes_part(right) && (left == right || same_text(left, right));
    explain_sets(run_, left, right, e);
  }

  [[nodiscard]] ItemInFull in_full(RowNumber row) override { return set_in_full(run_, row); }

  void describe(const ReportSource& source, ReportPage& page) override {
    describe_sets(compared_sets(run_), source, components_, page);
  }

  void require_unchanged() const override {
    sosie::require_unchanged(run_.inputs);
    if (reused_) reused_->require_unchanged();
  }
  [[nodiscard]] std::string keep_progress() override { return run_.keep_progress(); }

 private:
  // True if the texts of two compared rows are equal.
  [[nodiscard]] bool same_text(RowNumber left, RowNumber right) {
    if (run_.is_spilled()) {
      TextComparer comparer(run_.inputs, run_.corpus, run_.settings);
      comparer.set_leader(left);
      return comparer.same_as_leader(right);
    }
    const Place a = run_.items.place_of[left];
    const Place b = run_.items.place_of[right];
    return run_.items.same_text(a, b) || run_.items.same_text(b, a);
  }

  // The pairs contain shares of a union, but not the sizes that other measures need.
  void check_reused_measure() const {
    if (run_.settings.measure->distance == "jaccard" && run_.options.bag_union != "sum") return;
    throw Error(ErrorKind::invalid_option,
                "--reuse: pairs can be reused only if the measure is jaccard or bag-jaccard",
                "reuse a clusters file of that run instead");
  }

  // Number of rows that would be removed if the connected components of all buckets were groups,
  // without any verification.
  [[nodiscard]] std::uint64_t removed_by_components() {
    if (run_.choice.finds_every_pair()) return 0;
    const Items& items = run_.items;
    std::uint64_t rows = 0;  // rows of the run itself that take part
    for (Place p = items.fixed; p < items.size(); ++p) rows += items.rows_of(p);
    return rows - count_components(run_.matcher->buckets(), items.size(), run_.pool, items.fixed);
  }

  void announce_many(std::uint64_t count) const {
    const RunHooks& hooks = run_.hooks;
    if (!pair_selection(run_.options).all() || count <= kPairsWorthAWarning ||
        !tells(run_.options, hooks))
      return;
    hooks.on_message(fmt::format(
        "about to write {} pairs; raise --threshold, or use --top, --top-pairs or --limit", count));
  }

  void choose_pairs(PairOrder order, const EachPairs& each) {
    PairSelection wanted = pair_selection(run_.options);
    if (wanted.all()) wanted.limit = 0;  // the limit was checked when pairs were found
    const PairMemory memory{*run_.scratch, MemoryBudget{run_.settings.memory_bytes}.sorts()};
    choose_row_pairs(
        {wanted, order, *run_.settings.measure, facts_, memory},
        [&](const TakeRowPairs& take) {
          found_->for_each([&](std::span<const RowPair> some) {
            take(some);
            return true;
          });
        },
        each);
  }

  SetRun run_;
  BoundFacts facts_;
  std::unique_ptr<ReusedFile> reused_;  // null without --reuse
  std::optional<std::uint64_t> unverified_;
  BucketComponents components_;
  std::function<std::string(RowNumber row)> line_;  // created at the first request
  std::unique_ptr<RowPairCollector> found_;         // for an audit
};

}  // namespace

std::unique_ptr<Engine> set_engine(VerbBit verb, const Options& options, const RunHooks& hooks) {
  return std::make_unique<SetEngine>(verb, options, hooks);
}

}  // namespace sosie
