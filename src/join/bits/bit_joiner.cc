// Joins the bit strings of a run: by equal blocks of bits, by shared rare bits, by sampled bits
// (lsh), or by comparing every pair.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "core/memory_budget.h"
#include "core/mix64.h"
#include "core/thread_pool.h"
#include "corpus/items/bit_items.h"
#include "corpus/items/explained.h"
#include "data/columns.h"
#include "io/scratch.h"
#include "join/bits/bit_join.h"
#include "join/bits/bit_lsh.h"
#include "join/bits/bit_searcher.h"
#include "join/in_memory_joiner.h"
#include "join/scored_pairs.h"
#include "options/bit_settings.h"
#include "plan/lsh_forecast.h"
#include "store/saved_plan.h"

namespace sosie {
namespace {

// Forecast for the pairs of a task, from a sample drawn with the seed. For a column of some length
// but without rows, it relies on assumptions. `taken`: an existing plan.
[[nodiscard]] LshForecast forecast_bits(const BitJoinTask& join, const BitSettings& settings,
                                        const std::optional<LshPlan>& taken = {});

constexpr std::size_t kSampledPairs = std::size_t{1} << 17;
constexpr std::size_t kLeastRows = 4096;  // fewer are compared without thinking of hashes
constexpr double kUnrelated = 0.5;        // part of the places in which strings differ by chance

// Measured constants (see plan/banding_cost.cc): nanoseconds to read a bit, and to measure a pair.
constexpr double kBitNs = 1.5;
constexpr double kPairNs = 60;
// Nanoseconds to list a found pair with its ids, and to settle it if a single join serves a whole
// dedup.
constexpr double kFoundPairNs = 2000;
constexpr double kSettledPairNs = 335;
constexpr double kFewPairs = 2;  // a row, with which dedup is one join

// Number of rows whose pairs are counted for a plan: first this number, then at least this number
// or this share of the rows.
constexpr std::size_t kFirstDrawn = 512;
constexpr std::size_t kLeastDrawn = 8192;
constexpr std::size_t kRowsOfOneDrawn = 8;

// Calls each(counts) for pairs drawn with the seed.
template <typename Each>
void for_each_drawn(const BitJoinTask& task, std::uint64_t seed, const Each& each) {
  if (task.sides.is_nothing()) return;
  const BitColumn& column = *task.column;
  const RowRange lefts = task.sides.left;
  const RowRange rights = task.sides.right.value_or(lefts);
  for (std::size_t i = 0; i < kSampledPairs; ++i) {
    const std::size_t left = lefts.begin + random64(seed, i) % lefts.size();
    const std::size_t right = rights.begin + random64(~seed, i) % rights.size();
    if (left == right) continue;
    each(count_bits(column.row(left), column.row(right), column.words));
  }
}

// True if hashing may pay off when no option requires it. False for few rows, and for bounds beyond
// half of the positions, where most strings are within the bound and no construction can separate
// them.
bool is_worth_planning(const BitColumn& column, const BitSettings& settings) noexcept {
  return column.rows >= kLeastRows &&
         2 * settings.bound.bound.value() < static_cast<double>(column.bits);
}

LshForecast forecast_bits(const BitJoinTask& join, const BitSettings& settings,
                          const std::optional<LshPlan>& taken) {
  const BitColumn& column = *join.column;
  const auto bits = static_cast<double>(column.bits);
  const double rows = column.rows == 0 ? 2 * kAssumedPartners : static_cast<double>(column.rows);
  LshForecast forecast;
  LshTask& task = forecast.task;
  task.measure = settings.measure->name;
  if (column.bits > 0) task.bound = std::min(1.0, settings.bound.bound.value() / bits);
  task.recall = settings.lsh.recall;
  task.pairs_an_item = column.rows == 0 ? kAssumedPartners : join.sides.partners();
  task.costs = {kBitNs, kPairNs};
  task.fixed = settings.lsh.fixed;
  double near = 0;
  for_each_drawn(join, settings.run.seed, [&](const BitCounts& counts) {
    // Distances are shares of the positions.
    forecast.sample.push_back(static_cast<double>(counts.different()) / bits);
    near += settings.measure->reaches(counts, settings.bound.bound) ? 1 : 0;
  });
  near /= std::max(1.0, static_cast<double>(forecast.sample.size()));
  if (column.rows == 0) forecast.sample = {kUnrelated};
  if (const HashFamily* family = taken ? taken->family : settings.lsh.family) {
    task.collision = family->collision_probability;
    plan_lsh(forecast, *family, rows, taken);
  }
  const JoinCosts costs = costs_of_joins(join);
  forecast.exact_ns = costs.index;
  forecast.brute_ns = costs.scan;
  forecast.expected_pairs =
      near * static_cast<double>(join.sides.left.size()) * join.sides.partners();
  return forecast;
}

// Exact joins of some rows of a column.
class BitRowJoins {
 public:
  // `brute`: measure every pair. All arguments must outlive this object.
  BitRowJoins(const BitColumn& column, const BitSettings& settings, bool brute, ThreadPool& pool,
              Scratch& scratch);

  // Joins as VectorLsh::join() does, but sorts by (left, right).
  [[nodiscard]] std::uint64_t by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const;

  // The value of a pair of rows within the bound; empty for other pairs.
  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const;
  // The value of any pair.
  [[nodiscard]] double value(RowId left, RowId right) const;

 private:
  const BitColumn& column_;
  const BitSettings& settings_;
  bool brute_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

BitColumn take_rows(const BitColumn& column, std::span<const RowId> rows) {
  BitColumn some{rows.size(), column.bits, column.words, {}};
  some.data.reserve(some.rows * some.words);
  for (const RowId row : rows) {
    some.data.insert(some.data.end(), column.row(row), column.row(row) + column.words);
  }
  return some;
}

BitRowJoins::BitRowJoins(const BitColumn& column, const BitSettings& settings, bool brute,
                         ThreadPool& pool, Scratch& scratch)
    : column_(column), settings_(settings), brute_(brute), pool_(pool), scratch_(scratch) {}

std::uint64_t BitRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                    const EachPairs& each) const {
  const BitColumn column = take_rows(column_, rows);
  const auto end = static_cast<RowId>(rows.size());
  const auto lefts = static_cast<RowId>(split);
  const BitJoinTask task{
      .column = &column,
      .sides = split == 0 ? JoinSides{{0, end}} : JoinSides{{0, lefts}, RowRange{lefts, end}},
      .measure = settings_.measure,
      .bound = settings_.bound.bound.terms(),
      .brute = brute_,
      .scratch = &scratch_,
      .memory_bytes = settings_.run.memory_bytes};
  return join_bits(task, pool_, each).candidates;
}

std::optional<double> BitRowJoins::measure(RowId left, RowId right) const {
  const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
  if (!settings_.measure->reaches(counts, settings_.bound.bound)) return std::nullopt;
  return settings_.measure->value(counts);
}

double BitRowJoins::value(RowId left, RowId right) const {
  return settings_.measure->value(count_bits(column_.row(left), column_.row(right), column_.words));
}

// A copy of some rows.
BitColumn rows_of(const BitColumn& column, const RowRange& rows) {
  return {rows.size(), column.bits, column.words, {column.row(rows.begin), column.row(rows.end)}};
}

// Pairs of drawn rows, and how many of them are within the bound.
struct SampledPairs {
  double drawn = 0;
  double found = 0;
};

class BitJoiner final : public InMemoryJoiner {
 public:
  BitJoiner(VerbBit verb, const Options& options)
      : options_(options),
        settings_(resolve_bits(options, verb)),
        groups_(verb == kDedup || verb == kExplain) {}

  [[nodiscard]] const Settings& settings() const override { return settings_.run; }
  [[nodiscard]] const ItemBound& bound() const override { return settings_.bound; }
  [[nodiscard]] bool is_nearest() const override { return settings_.nearest; }
  [[nodiscard]] bool is_brute() const override { return settings_.brute; }

  void read(ThreadPool& pool, const RunHooks& hooks, ItemPlaces& places,
            MissingFields missing) override {
    pool_ = &pool;
    hooks_ = &hooks;
    items_ = read_bits({.options = options_,
                        .settings = settings_.run,
                        .pool = pool,
                        .hooks = hooks,
                        .places = &places,
                        .zeros_are_empty = settings_.measure->is_of_sets,
                        .missing = missing},
                       options_.inputs);
    scratch_ = places.scratch.get();
    erase_rows(items_.column, items_.left_out);
    sides_ = sides_of(places.corpus, items_.left_out, has_other(options_));
  }

  [[nodiscard]] const JoinSides& sides() const override { return sides_; }
  [[nodiscard]] std::span<const RowId> left_out() const override { return items_.left_out; }
  [[nodiscard]] const ItemIds& own_ids() const override { return items_.ids; }
  [[nodiscard]] const ItemIds& other_ids() const override { return items_.against_ids; }
  [[nodiscard]] std::string_view bytes_of(std::size_t row) const override {
    return bytes_of_row(items_.column, row);
  }

  [[nodiscard]] JoinForecast foresee(const JoinNeeds& dedup, const JoinNeeds& pairs) override {
    constexpr std::size_t kUsualBits = 64;
    if (items_.column.rows == 0) items_.column.bits = kUsualBits;
    const BitJoinTask all = task();
    JoinForecast forecast{forecast_bits(all, settings_), RunForecast{}, {}};
    LshForecast& methods = forecast.methods;
    const bool hashes = takes_lsh(methods);
    if (items_.column.rows > 0 && !is_nearest()) methods.expected_pairs = expect_pairs();
    indexed_ = methods.exact_ns < methods.brute_ns;
    forecast.pairs = foresee_run(methods, hashes, pairs);
    forecast.pairs.costs.cpu_seconds += methods.expected_pairs * kFoundPairNs / 1e9;
    indexed_.reset();
    // If there are more, only pairs with survivors are searched for.
    LshForecast settled = methods;
    settled.expected_pairs =
        std::min(methods.expected_pairs, kFewPairs * static_cast<double>(items_.column.rows));
    forecast.dedup = foresee_run(settled, hashes, dedup);
    forecast.dedup->costs.cpu_seconds += settled.expected_pairs * kSettledPairNs / 1e9;
    return forecast;
  }

  void prepare(const JoinNeeds& needs) override {
    const BitColumn& column = items_.column;
    exact_.emplace(column, settings_, settings_.brute, *pool_, *scratch_);
    BitJoinTask planned = task();
    if (groups_) planned.sides = {{0, static_cast<RowId>(column.rows)}};
    if (!needs.only_measures) choose_method(planned);
    truth_.emplace(column, settings_, !lsh_.has_value(), *pool_, *scratch_);
    if (lsh_ && !planned.sides.is_nothing()) {
      lsh_->hash(*scratch_, column.rows * needs.hashed_row_bytes);
    }
  }

  [[nodiscard]] HashedItems hash(const SavedPlan& plan, const RowRange& items) const override {
    const LshPlan checked = checked_plan(
        plan, options_.plan, {options_, settings_.bound, settings_.lsh, items_.column.bits});
    const BitColumn some = rows_of(items_.column, items);
    return BitLsh(some, settings_, *pool_, checked).hashes();
  }

  [[nodiscard]] bool hashes() const override { return lsh_.has_value(); }
  [[nodiscard]] bool wholes_cost_less() const override {
    if (lsh_ || settings_.brute) return hashes();
    const JoinCosts costs = costs_of_joins(task());
    return costs.index < costs.scan;
  }
  [[nodiscard]] std::uint64_t sort_bytes() const override {
    return lsh_ ? lsh_->sort_bytes() : MemoryBudget{settings_.run.memory_bytes}.sorts();
  }

  [[nodiscard]] JoinFacts facts() const override {
    return {items_.column.bits, "bit", lsh_ ? facts_of(lsh_->plan()) : method()};
  }

  [[nodiscard]] std::uint64_t find(std::span<const RowId> rows, std::size_t split,
                                   const EachPairs& each) const override {
    return lsh_ ? lsh_->join(rows, split, each) : exact_->by_place(rows, split, each);
  }
  void find_part(std::span<const RowId> rows, const KeyRange& range,
                 const EachPairs& each) const override {
    lsh_->join_part(rows, range, each);
  }
  [[nodiscard]] std::uint64_t find_truth(std::span<const RowId> rows, std::size_t split,
                                         const EachPairs& each) const override {
    return truth_->by_place(rows, split, each);
  }
  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const override {
    return exact_->measure(left, right);
  }
  [[nodiscard]] double value(RowId left, RowId right) const override {
    return exact_->value(left, right);
  }

  [[nodiscard]] std::vector<ExplainedLine> describe(RowId left, RowId right) const override {
    return explained_bits(items_.column, left, right);
  }

  [[nodiscard]] std::vector<std::string> parts_of(RowId row) const override {
    return explained_positions(items_.column, row);
  }
  [[nodiscard]] std::optional<HashedRow> hashed(RowId row) const override {
    return lsh_ ? std::optional(lsh_->hashed(row)) : std::nullopt;
  }

  [[nodiscard]] std::optional<PairForecast> forecast() override { return std::nullopt; }

  std::uint64_t find_all(const SortedPairs<ScoredPair>::Prune& prune,
                         const EachPairs& each) override {
    BitJoinTask all = task();
    all.prune = prune;
    return count(join_bits(all, *pool_, each));
  }

  std::uint64_t find_nearest(std::uint64_t most, const EachPairs& each) override {
    return count(nearest_bits(task(), most, *pool_, each));
  }

  [[nodiscard]] std::unique_ptr<ItemLookup> lookup(ThreadPool& pool,
                                                   const RunHooks& hooks) const override {
    return bit_lookup({options_, pool, hooks}, settings_);
  }

 private:
  // True if lsh is requested, or predicted to cost less.
  [[nodiscard]] bool takes_lsh(const LshForecast& forecast) const {
    if (settings_.lsh.family == nullptr) return false;
    if (settings_.lsh.required) return require_plan(forecast).bands > 0;
    return is_worth_planning(items_.column, settings_) &&
           forecast.lsh_ns < std::min(forecast.exact_ns, forecast.brute_ns);
  }

  void choose_method(const BitJoinTask& planned) {
    if (settings_.lsh.family == nullptr) return;
    if (!settings_.lsh.required && !is_worth_planning(items_.column, settings_)) return;
    const auto taken =
        plan_of_run({options_, settings_.bound, settings_.lsh, items_.column.bits}, hooks_->cancel);
    const LshForecast forecast = forecast_bits(planned, settings_, taken);
    if (!takes_lsh(forecast)) return;
    warn_if_costly(forecast, options_, *hooks_);
    const BitColumn& column = items_.column;
    lsh_.emplace(
        column, settings_, *pool_, *forecast.plan,
        sketched_items(options_, column.bits, sides_.left.begin, static_cast<RowId>(column.rows),
                       [&column](RowId item) { return identity_of(column, item); }));
  }

  // Expected number of pairs in the run, estimated from some rows drawn independently of their
  // order.
  [[nodiscard]] double expect_pairs() const {
    const SampledPairs few = pairs_among(kFirstDrawn);
    // A larger sample of rows that are all similar would have a quadratic number of pairs.
    const bool suffices = few.found > static_cast<double>(kFirstDrawn);
    const std::size_t many = std::max(kLeastDrawn, items_.column.rows / kRowsOfOneDrawn);
    const SampledPairs sample = suffices ? few : pairs_among(many);
    const double all = static_cast<double>(sides_.left.size()) * sides_.partners();
    return sample.drawn < 1 ? 0 : sample.found * all / sample.drawn;
  }

  // `wanted`: number of rows on either side.
  [[nodiscard]] SampledPairs pairs_among(std::size_t wanted) const {
    std::vector<RowId> rows;
    const auto draw = [&](const RowRange& range) {
      for (RowId row = range.begin; row < range.end; ++row) {
        if (mix64(row) % range.size() < wanted) rows.push_back(row);
      }
    };
    draw(sides_.left);
    const std::size_t split = sides_.right ? rows.size() : 0;
    if (sides_.right) draw(*sides_.right);
    const auto count = static_cast<double>(rows.size());
    const auto lefts = static_cast<double>(split);
    SampledPairs sample{sides_.right ? lefts * (count - lefts) : count * (count - 1) / 2};
    if (sample.drawn < 1) return sample;
    const BitRowJoins joins(items_.column, settings_, settings_.brute, *pool_, *scratch_);
    static_cast<void>(joins.by_place(rows, split, [&](std::span<const ScoredPair> pairs) {
      sample.found += static_cast<double>(pairs.size());
    }));
    return sample;
  }

  [[nodiscard]] RunForecast foresee_run(const LshForecast& forecast, bool hashes,
                                        const JoinNeeds& needs) const {
    const BitColumn& column = items_.column;
    if (hashes) {
      return hashed_run(forecast, needs_of_bands(column, *forecast.plan, settings_, *pool_,
                                                 column.rows * needs.hashed_row_bytes));
    }
    MethodFacts facts = method();
    const bool brute = facts.method == Method::brute || forecast.brute_ns < forecast.exact_ns;
    const std::uint64_t kept =
        column.data.size() * sizeof column.data[0] + column.rows * needs.exact_row_bytes;
    return exact_run(forecast, brute, std::move(facts),
                     {kept, MemoryBudget{settings_.run.memory_bytes}.sorts()});
  }

  // The method that finds all pairs.
  [[nodiscard]] MethodFacts method() const {
    if (!indexed_.value_or(!settings_.brute)) {
      return {.method = Method::brute,
              .line = indexed_ ? "brute: every pair is measured"
                               : "brute: every pair with a survivor is measured"};
    }
    if (settings_.measure->is_of_sets) {
      return {.method = Method::exact,
              .line = fmt::format("exact: prefix index of the sets of one bits{}",
                                  indexed_ ? "" : ", or all")};
    }
    if (!indexed_) {
      return {.method = Method::exact,
              .line = "exact: strings that agree in a block of bits, or all pairs, are measured"};
    }
    const auto& bound = settings_.bound.bound;
    return {
        .method = Method::exact,
        .line = fmt::format("exact: strings that agree in one of {} blocks of bits are measured",
                            bound.num / bound.den + 1)};
  }

  [[nodiscard]] BitJoinTask task() const {
    return {.column = &items_.column,
            .sides = sides_,
            .measure = settings_.measure,
            .bound = settings_.bound.bound.terms(),
            .brute = settings_.brute,
            .limit = pair_selection(options_).all() ? options_.limit : 0,
            .facts = settings_.bound.facts,
            .scratch = scratch_,
            .memory_bytes = settings_.run.memory_bytes};
  }

  std::uint64_t count(const BitJoinCounts& counts) {
    indexed_ = counts.indexed;
    return counts.candidates;
  }

  const Options& options_;
  BitSettings settings_;
  bool groups_;  // the verb is dedup or explain
  ThreadPool* pool_ = nullptr;
  const RunHooks* hooks_ = nullptr;
  Scratch* scratch_ = nullptr;
  BitItems items_;  // items, OTHER's in front
  JoinSides sides_;
  std::optional<BitLsh> lsh_;
  std::optional<BitRowJoins> exact_;
  std::optional<BitRowJoins> truth_;  // an exact run is audited without its index
  std::optional<bool> indexed_;       // by find_all()
};

}  // namespace

std::unique_ptr<InMemoryJoiner> bit_joiner(VerbBit verb, const Options& options) {
  return std::make_unique<BitJoiner>(verb, options);
}

}  // namespace sosie
