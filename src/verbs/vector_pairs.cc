#include <fmt/format.h>

#include <optional>
#include <vector>

#include "core/number_text.h"
#include "corpus/vector_items.h"
#include "decide/measured_audit.h"
#include "join/hashed_pairs.h"
#include "join/measured_pairs.h"
#include "join/run.h"
#include "join/vector_join.h"
#include "join/vector_lsh.h"
#include "join/vector_nearest.h"
#include "join/vector_row_joins.h"
#include "join/vector_sides.h"
#include "options/vector_settings.h"
#include "report/pair_outputs.h"
#include "sosie/error.h"
#include "verbs/verbs.h"
#include "verify/vector_range.h"

namespace sosie {
namespace {

// From here on a run says how many pairs it is about to write.
constexpr double kManyPairs = 1e8;

class VectorPairs {
 public:
  VectorPairs(std::string_view verb, const Options& options, const RunHooks& hooks)
      : verb_(verb),
        options_(options),
        hooks_(hooks),
        settings_(resolve_vectors(options, verb)),
        pool_(settings_.run.threads, hooks.cancel) {}

  RunReport execute() {
    own_ = read_vectors({options_, settings_.run, pool_, hooks_}, options_.inputs);
    if (!options_.against.empty()) {
      against_ =
          read_vectors({options_, settings_.run, pool_, hooks_, nullptr, true}, options_.against);
      give_one_type(own_, *against_);
    }
    std::vector<std::string> inputs = own_.paths;
    if (against_) inputs.insert(inputs.end(), against_->paths.begin(), against_->paths.end());
    add_given_ids(options_, inputs);
    check_outputs(inputs, {options_.output, options_.stats}, result_of(options_, hooks_));
    if (settings_.measure->needs_length) {
      bring_into_range(own_.column);
      if (against_) bring_into_range(against_->column);
    }
    own_squares_ = squared_lengths(own_.column, pool_);
    if (against_) against_squares_ = squared_lengths(against_->column, pool_);
    settle_method(own_.column, own_squares_, settings_);
    if (against_) settle_method(against_->column, against_squares_, settings_);
    if (settings_.measure->needs_length) {
      require_directions(own_, own_squares_, settings_.measure->name);
      if (against_) require_directions(*against_, against_squares_, settings_.measure->name);
    }
    return write();
  }

 private:
  RunReport write() {
    PairOutputs outputs(verb_, options_, hooks_, settings_.bound.facts);
    const PairOrder order = verb_ == "query" ? PairOrder::best_first : PairOrder::input;
    if (settings_.lsh.family != nullptr) plan_lsh();
    exact_room_ = lsh_ ? least_room(own_.column.dimension) : room_for_exact(needs());
    if (options_.audit > 0) prepare_audit();
    PairSink sink(options_, settings_.bound.facts,
                  {own_.ids, against_ ? against_->ids : own_.ids, order, hooks_.pairs,
                   audit_ ? [this](const MeasuredPair& pair) { add_reported(pair); } : PairSeen()},
                  outputs.table(), {scratch_, held_bytes()});
    MeasuredSummary summary = summarize();
    summary.candidates = lsh_ ? join_by_lsh(sink) : settings_.nearest ? search(sink) : join(sink);
    summary.pairs = sink.finish();
    if (audit_) summary.audit = audit_->measure();
    measure_run(summary, started_);
    return outputs.finish(summary, pool_);
  }

  // The rows of OTHER are numbered on from the run's own. An exact run is audited without its
  // filter.
  void prepare_audit() {
    const auto own = static_cast<std::uint32_t>(own_.column.rows);
    const auto others = static_cast<std::uint32_t>(against_ ? against_->column.rows : 0);
    filtered_.emplace(rows(), settings_, VectorRowJoins::How{true, exact_room_}, pool_, scratch_);
    plain_.emplace(rows(), settings_, VectorRowJoins::How{false, exact_room_}, pool_, scratch_);
    AuditedRun run{.options = options_,
                   .settings = settings_.run,
                   .hooks = hooks_,
                   .pool = pool_,
                   .facts = settings_.bound.facts,
                   .bound = settings_.bound.bound,
                   .own = {0, own},
                   .partners = against_ ? RowRange{own, own + others} : RowRange{0, own},
                   .bytes_of = [this](std::size_t row) { return bytes_of(row); },
                   .truth = {},
                   .found = {},
                   .measure = {}};
    set_joins(*filtered_, *plain_, settings_.brute, lsh_ ? lsh_join() : nullptr, run);
    audit_.emplace(run);
  }

  // For pairs whose number is not known to keep --limit.
  [[nodiscard]] std::uint64_t held_bytes() const noexcept { return settings_.run.memory_bytes / 8; }

  void add_reported(const MeasuredPair& pair) {
    const auto past_own = static_cast<std::uint32_t>(against_ ? own_.column.rows : 0);
    audit_->add_reported(pair.left, pair.right + past_own);
  }

  [[nodiscard]] std::string_view bytes_of(std::size_t row) const {
    const std::size_t lefts = own_.column.rows;
    return row < lefts ? bytes_of_row(own_.column, row)
                       : bytes_of_row(against_->column, row - lefts);
  }

  [[nodiscard]] VectorSubset own() const { return all_of(own_.column, own_squares_); }
  [[nodiscard]] std::optional<VectorSubset> against() const {
    if (!against_) return std::nullopt;
    return all_of(against_->column, against_squares_);
  }
  [[nodiscard]] JoinedRows rows() const { return {own(), against()}; }

  // Of an exact run.
  [[nodiscard]] ExactNeeds needs() const {
    return {.besides = memory_bytes(own_.column) + (against_ ? memory_bytes(against_->column) : 0) +
                       all_rows() * (kExactRowBytes + (options_.audit > 0 ? kAuditRowBytes : 0)),
            .memory_bytes = settings_.run.memory_bytes,
            .dimension = own_.column.dimension,
            .threads = pool_.size()};
  }

  // Of a run that hashes.
  [[nodiscard]] std::uint64_t audit_bytes() const noexcept {
    if (options_.audit == 0) return 0;
    return all_rows() * kAuditRowBytes + least_exact_bytes(own_.column.dimension, pool_.size());
  }
  [[nodiscard]] std::uint64_t all_rows() const noexcept {
    return own_.column.rows + (against_ ? against_->column.rows : 0);
  }

  [[nodiscard]] decltype(HashedJoin::join) lsh_join() const {
    return [this](std::span<const std::uint32_t> rows, std::size_t split,
                  const HashedJoin::Each& each) { return lsh_->join(rows, split, each); };
  }

  // Leaves lsh_ empty where every pair is to be found.
  void plan_lsh() {
    const VectorColumn* other = against_ ? &against_->column : nullptr;
    const bool may = is_worth_planning(own_.column.rows, other);
    if (!settings_.lsh.required && !may) return;
    lsh_.emplace(own_.column, other, settings_, pool_);
    if (!settings_.lsh.required && !lsh_->is_cheaper()) lsh_.reset();
  }

  // All return how many pairs were measured.
  std::uint64_t join_by_lsh(PairSink& sink) {
    const bool nothing = own_.column.rows == 0 || (against_ && against_->column.rows == 0);
    if (nothing) return 0;
    announce(lsh_->expected_pairs());
    HashedJoin join = hashed_join();
    const std::uint64_t row_bytes = kEqualItemBytes + sizeof own_squares_[0];
    lsh_->hash(scratch_, (join.lefts + join.rights) * row_bytes + audit_bytes());
    join.join = lsh_join();
    join.measure = [this](std::uint32_t left, std::uint32_t right) {
      return lsh_->measure(left, right);
    };
    join.sort_bytes = lsh_->sort_bytes();
    return join_hashed(join, options_, settings_.bound.facts, sink);
  }

  // Without what finds and measures.
  [[nodiscard]] HashedJoin hashed_join() {
    return {.lefts = own_.column.rows,
            .rights = against_ ? against_->column.rows : 0,
            .bytes_of = [this](std::size_t row) { return bytes_of(row); },
            .join = {},
            .measure = {},
            .scratch = &scratch_};
  }

  // The different vectors are joined, and stand for their copies.
  std::uint64_t join_different(PairSink& sink) {
    // They come sorted, and are sorted again with their copies.
    ExactRoom room = exact_room_;
    room.pair_bytes /= 2;
    const VectorRowJoins joins(rows(), settings_, {!settings_.brute, room}, pool_, scratch_);
    HashedJoin join = hashed_join();
    join.join = [&](std::span<const std::uint32_t> rows, std::size_t split,
                    const HashedJoin::Each& each) { return joins.by_place(rows, split, each); };
    join.measure = [&](std::uint32_t left, std::uint32_t right) {
      return joins.measure(left, right);
    };
    join.sort_bytes = room.pair_bytes;
    return join_hashed(join, options_, settings_.bound.facts, sink);
  }

  std::uint64_t search(PairSink& sink) {
    return nearest_vectors(
        {.left = own(),
         .right = *against(),
         .measure = &*settings_.measure,
         .most = options_.top,
         .filter = !settings_.brute,
         .room = exact_room_},
        pool_, [this](std::size_t done) { tell_progress(done); },
        [&](std::span<const MeasuredPair> pairs) { sink.add(pairs); });
  }

  std::uint64_t join(PairSink& sink) {
    VectorJoinTask task{.left = own(),
                        .right = against(),
                        .measure = &*settings_.measure,
                        .bound = settings_.bound.bound,
                        .filter = !settings_.brute,
                        .scratch = &scratch_,
                        .room = exact_room_,
                        .prune = prune_unwanted<MeasuredPair>(
                            wanted_pairs(options_), IsNearer{settings_.measure->is_similarity})};
    expect(task);
    const std::size_t rows = own_.column.rows + (against_ ? against_->column.rows : 0);
    const auto row_bytes = [this](std::size_t row) { return bytes_of(row); };
    if (are_mostly_copies(rows, row_bytes)) return join_different(sink);
    return join_vectors(
               task, pool_, [this](std::size_t done) { tell_progress(done); },
               [&](std::span<const MeasuredPair> pairs) { sink.add(pairs); })
        .candidates;
  }

  void tell_progress(std::size_t done) const {
    if (hooks_.on_progress) hooks_.on_progress({"comparing", done, own_.column.rows});
  }

  [[nodiscard]] MeasuredSummary summarize() const {
    MeasuredSummary summary;
    summary.verb = verb_;
    summary.kind = "vectors";
    summary.rows = own_.column.rows;
    summary.has_against = against_.has_value();
    summary.bytes = own_.bytes + (against_ ? against_->bytes : 0);
    summary.against_rows = against_ ? against_->column.rows : 0;
    summary.dimension = own_.column.dimension;
    summary.components = component_name(own_.column);
    summary.facts = settings_.bound.facts;
    set_method(settings_, lsh_ ? &lsh_->plan() : nullptr, summary);
    summary.threads = settings_.run.threads;
    return summary;
  }

  // Estimates how many pairs there will be: says so when there are absurdly many, keeps fewer of
  // them in memory at a time, and does not begin what --limit will end.
  void expect(VectorJoinTask& task) {
    estimate_pairs(task, settings_.run.seed, pool_);
    const WantedPairs wanted = wanted_pairs(options_);
    if (wanted.all()) check_pair_limit(wanted, settings_.bound.facts, task.least_pairs);
    const auto rows = static_cast<double>(own_.column.rows);
    const double expected = against_ ? task.pairs_a_row * rows : (task.pairs_a_row - 1) * rows / 2;
    announce(expected);
  }

  void announce(double expected) const {
    const bool all = options_.top == 0 && options_.top_pairs == 0 && options_.limit == 0;
    if (!all || expected < kManyPairs || !hooks_.on_message) return;
    hooks_.on_message(
        fmt::format("about {} pairs are expected; {}, or use --top, --top-pairs or --limit",
                    count_text(static_cast<std::uint64_t>(expected)),
                    settings_.measure->is_similarity ? "raise --threshold" : "lower --within"));
  }

  std::string verb_;
  const Options& options_;
  const RunHooks& hooks_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  VectorSettings settings_;
  ThreadPool pool_;
  Scratch scratch_{settings_.run.scratch, settings_.run.scratch_limit_bytes};
  VectorItems own_;
  std::optional<VectorItems> against_;
  std::vector<double> own_squares_;  // squared lengths
  std::vector<double> against_squares_;
  ExactRoom exact_room_;
  std::optional<VectorLsh> lsh_;
  std::optional<VectorRowJoins> filtered_;  // of --audit
  std::optional<VectorRowJoins> plain_;
  std::optional<MeasuredAudit> audit_;
};

}  // namespace

RunReport pairs_of_vectors(const Options& options, const RunHooks& hooks) {
  return VectorPairs("pairs", options, hooks).execute();
}

RunReport joined_vectors(const Options& options, const RunHooks& hooks) {
  return VectorPairs("query", options, hooks).execute();
}

}  // namespace sosie
