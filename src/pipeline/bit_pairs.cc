#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/memory_budget.h"
#include "pipeline/audits/measured_audit.h"
#include "pipeline/measured/bit_items.h"
#include "pipeline/measured/bit_join.h"
#include "pipeline/measured/bit_lsh.h"
#include "pipeline/measured/bit_row_joins.h"
#include "pipeline/measured/bit_settings.h"
#include "pipeline/measured/hashed_pairs.h"
#include "pipeline/measured/pair_outputs.h"
#include "pipeline/sets/run.h"
#include "pipeline/verbs.h"
#include "sosie/error.h"

namespace sosie {
namespace {

class BitPairs {
 public:
  BitPairs(std::string_view verb, const Options& options, const RunHooks& hooks)
      : verb_(verb),
        options_(options),
        hooks_(hooks),
        settings_(resolve_bits(options, verb)),
        pool_(settings_.run.threads, hooks.cancel) {}

  RunReport execute() {
    items_ = read_bits({options_, settings_.run, pool_, hooks_}, options_.inputs);
    if (!options_.against.empty()) read_against();
    std::vector<std::string> inputs = items_.paths;
    inputs.insert(inputs.end(), against_.paths.begin(), against_.paths.end());
    add_given_ids(options_, inputs);
    check_outputs(inputs, {options_.output, options_.stats}, result_of(options_, hooks_));
    return write();
  }

 private:
  // The rows of OTHER stand behind the run's own.
  void read_against() {
    against_ = read_bits({options_, settings_.run, pool_, hooks_, nullptr, true}, options_.against);
    BitColumn& own = items_.column;
    const BitColumn& other = against_.column;
    own_rows_ = own.rows;
    require_one_length(items_, against_);
    own.data.insert(own.data.end(), other.data.begin(), other.data.end());
    own.rows += other.rows;
  }

  RunReport write() {
    PairOutputs outputs(verb_, options_, hooks_, settings_.bound.facts);
    const bool across = !options_.against.empty();
    const PairOrder order = verb_ == "query" ? PairOrder::best_first : PairOrder::input;
    if (auto lsh = useful_lsh(task(), settings_, pool_)) lsh_.emplace(std::move(*lsh));
    if (options_.audit > 0) prepare_audit(across);
    PairSink sink(options_, settings_.bound.facts,
                  {items_.ids, across ? against_.ids : items_.ids, order, hooks_.pairs,
                   audit_ ? [this](const MeasuredPair& pair) { add_reported(pair); } : PairSeen()},
                  outputs.table(), {scratch_, settings_.run.memory_bytes / 8});
    // Of two collections, both must have rows.
    const bool nothing = across && (own_rows_ == 0 || own_rows_ == items_.column.rows);
    MeasuredSummary summary = lsh_ ? join_by_lsh(nothing, sink) : join_exactly(nothing, sink);
    count_rows(across, summary);
    summary.pairs = sink.finish();
    if (audit_) summary.audit = audit_->measure();
    measure_run(summary, started_);
    return outputs.finish(summary, pool_);
  }

  // An exact run is audited without its index.
  void prepare_audit(bool across) {
    const auto rows = static_cast<std::uint32_t>(items_.column.rows);
    const auto own = across ? static_cast<std::uint32_t>(own_rows_) : rows;
    indexed_.emplace(items_.column, settings_, false, pool_, scratch_);
    plain_.emplace(items_.column, settings_, true, pool_, scratch_);
    AuditedRun run{.options = options_,
                   .settings = settings_.run,
                   .hooks = hooks_,
                   .pool = pool_,
                   .facts = settings_.bound.facts,
                   .bound = settings_.bound.bound,
                   .own = {0, own},
                   .partners = across ? RowRange{own, rows} : RowRange{0, own},
                   .bytes_of = [this](std::size_t row) { return bytes_of_row(items_.column, row); },
                   .truth = {},
                   .found = {},
                   .measure = {}};
    set_joins(*indexed_, *plain_, settings_.brute, lsh_ ? lsh_join() : nullptr, run);
    audit_.emplace(run);
  }

  void add_reported(const MeasuredPair& pair) {
    audit_->add_reported(pair.left, pair.right + static_cast<std::uint32_t>(own_rows_));
  }

  [[nodiscard]] decltype(HashedJoin::join) lsh_join() const {
    return [this](std::span<const std::uint32_t> rows, std::size_t split,
                  const HashedJoin::Each& each) { return lsh_->join(rows, split, each); };
  }

  // Both say how, and how many pairs were measured.
  MeasuredSummary join_by_lsh(bool nothing, PairSink& sink) {
    MeasuredSummary summary;
    set_lsh(lsh_->plan(), settings_.run.seed, summary);
    if (nothing) return summary;
    HashedJoin join = hashed_join();
    lsh_->hash(scratch_, items_.column.rows * kEqualItemBytes);
    join.join = lsh_join();
    join.measure = [&](std::uint32_t left, std::uint32_t right) {
      return lsh_->measure(left, right);
    };
    join.sort_bytes = lsh_->sort_bytes();
    summary.candidates = join_hashed(join, options_, settings_.bound.facts, sink);
    return summary;
  }

  // Without what finds and measures.
  [[nodiscard]] HashedJoin hashed_join() {
    return {.lefts = own_rows_ > 0 ? own_rows_ : items_.column.rows,
            .rights = own_rows_ > 0 ? items_.column.rows - own_rows_ : 0,
            .bytes_of = [this](std::size_t row) { return bytes_of_row(items_.column, row); },
            .join = {},
            .measure = {},
            .scratch = &scratch_};
  }

  MeasuredSummary join_exactly(bool nothing, PairSink& sink) {
    BitJoinCounts found;
    if (!nothing) found = compare(sink);
    MeasuredSummary summary;
    summary.method = found.indexed ? "exact" : "brute";
    summary.method_line =
        found.indexed
            ? fmt::format("exact: strings that agree in one of {} blocks of bits are measured",
                          settings_.bound.bound.num / settings_.bound.bound.den + 1)
            : "brute: every pair is measured";
    summary.candidates = found.candidates;
    return summary;
  }

  [[nodiscard]] BitJoinTask task() {
    return {.column = &items_.column,
            .split = own_rows_,
            .measure = settings_.measure,
            .bound = settings_.bound.bound,
            .brute = settings_.brute,
            .limit = wanted_pairs(options_).all() ? options_.limit : 0,
            .facts = settings_.bound.facts,
            .scratch = &scratch_,
            .memory_bytes = settings_.run.memory_bytes,
            .prune = prune_unwanted<MeasuredPair>(wanted_pairs(options_),
                                                  IsNearer{settings_.measure->is_similarity})};
  }

  BitJoinCounts compare(PairSink& sink) {
    const EachBitPairs add = [&](std::span<const MeasuredPair> pairs) { sink.add(pairs); };
    if (settings_.nearest) return nearest_bits(task(), options_.top, pool_, add);
    const auto row_bytes = [this](std::size_t row) { return bytes_of_row(items_.column, row); };
    if (!are_mostly_copies(items_.column.rows, row_bytes)) return join_bits(task(), pool_, add);
    const BitRowJoins joins(items_.column, settings_, settings_.brute, pool_, scratch_);
    HashedJoin join = hashed_join();
    join.join = [&](std::span<const std::uint32_t> rows, std::size_t split,
                    const HashedJoin::Each& each) { return joins.by_place(rows, split, each); };
    join.measure = [&](std::uint32_t left, std::uint32_t right) {
      return joins.measure(left, right);
    };
    join.sort_bytes = MemoryBudget{settings_.run.memory_bytes}.sorts();
    const auto measured = join_hashed(join, options_, settings_.bound.facts, sink);
    return {measured, !settings_.brute};
  }

  void count_rows(bool across, MeasuredSummary& summary) const {
    summary.verb = verb_;
    summary.kind = "bits";
    summary.rows = across ? own_rows_ : items_.column.rows;
    summary.has_against = across;
    summary.against_rows = against_.column.rows;
    summary.bytes = items_.bytes + against_.bytes;
    summary.dimension = items_.column.bits;
    summary.components = "bit";
    summary.facts = settings_.bound.facts;
    summary.threads = settings_.run.threads;
  }

  std::string verb_;
  const Options& options_;
  const RunHooks& hooks_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  BitSettings settings_;
  ThreadPool pool_;
  Scratch scratch_{settings_.run.scratch, settings_.run.scratch_limit_bytes};
  BitItems items_;            // with --against those of OTHER too, in the column
  BitItems against_;          // ids and counts of OTHER
  std::size_t own_rows_ = 0;  // with --against
  std::optional<BitLsh> lsh_;
  std::optional<BitRowJoins> indexed_;  // of --audit
  std::optional<BitRowJoins> plain_;
  std::optional<MeasuredAudit> audit_;
};

}  // namespace

RunReport pairs_of_bits(const Options& options, const RunHooks& hooks) {
  return BitPairs("pairs", options, hooks).execute();
}

RunReport joined_bits(const Options& options, const RunHooks& hooks) {
  return BitPairs("query", options, hooks).execute();
}

}  // namespace sosie
