// Joins the vectors of a run: by integer products with a proven bound, by locality-sensitive
// hashing, or by comparing every pair.
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/explained.h"
#include "corpus/items/vector_items.h"
#include "data/columns.h"
#include "io/scratch.h"
#include "join/in_memory_joiner.h"
#include "join/scored_pairs.h"
#include "join/vectors/nearest_vectors.h"
#include "join/vectors/side_panels.h"
#include "join/vectors/vector_join.h"
#include "join/vectors/vector_lsh.h"
#include "join/vectors/vector_searcher.h"
#include "join/vectors/vector_sides.h"
#include "options/vector_settings.h"
#include "sosie/error.h"
#include "store/saved_plan.h"
#include "verify/bring_into_range.h"

namespace sosie {
namespace {

// Exact joins of some of the rows.
class VectorRowJoins {
 public:
  struct How {
    bool filter = true;  // false: every pair is measured
    ExactMemoryShare memory_share;
  };

  // `rows`: all rows of a column. All arguments must outlive this object.
  VectorRowJoins(const VectorSubset& rows, const VectorSettings& settings, const How& how,
                 ThreadPool& pool, Scratch& scratch);

  // Joins as VectorLsh::join() does, but sorts by (left, right).
  [[nodiscard]] std::uint64_t by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const;

  // The value of a pair of rows within the bound; empty for other pairs.
  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const;
  // The value of any pair.
  [[nodiscard]] double value(RowId left, RowId right) const;

 private:
  [[nodiscard]] VectorSums sums(RowId left, RowId right) const;

  VectorSubset rows_;
  const VectorSettings& settings_;
  How how_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

VectorRowJoins::VectorRowJoins(const VectorSubset& rows, const VectorSettings& settings,
                               const How& how, ThreadPool& pool, Scratch& scratch)
    : rows_(rows), settings_(settings), how_(how), pool_(pool), scratch_(scratch) {}

std::uint64_t VectorRowJoins::by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const {
  const auto some = [this](std::span<const RowId> of) {
    return some_of(*rows_.column, rows_.squares, of);
  };
  const bool is_self = split == 0;
  VectorJoinTask task{.left = some(is_self ? rows : rows.first(split)),
                      .right = is_self ? std::nullopt : std::optional(some(rows.subspan(split))),
                      .measure = &*settings_.measure,
                      .bound = settings_.bound.bound,
                      .filter = how_.filter,
                      .scratch = &scratch_,
                      .memory_share = how_.memory_share};
  estimate_pairs(task, settings_.run.seed, pool_);
  const auto past_lefts = static_cast<RowId>(split);
  return join_vectors(task, pool_, {}, shifted(0, past_lefts, each)).candidates;
}

std::optional<double> VectorRowJoins::measure(RowId left, RowId right) const {
  const VectorSums between = sums(left, right);
  if (!settings_.measure->reaches(between, settings_.bound.bound,
                                  has_integer_sums(*rows_.column))) {
    return std::nullopt;
  }
  return settings_.measure->value(between);
}

double VectorRowJoins::value(RowId left, RowId right) const {
  return settings_.measure->value(sums(left, right));
}

VectorSums VectorRowJoins::sums(RowId left, RowId right) const {
  VectorSums sums = sums_between(*settings_.measure, *rows_.column, left, *rows_.column, right);
  sums.left_square = rows_.squares[left];
  sums.right_square = rows_.squares[right];
  return sums;
}

class VectorJoiner final : public InMemoryJoiner {
 public:
  VectorJoiner(VerbBit verb, const Options& options)
      : options_(options),
        settings_(resolve_vectors(options, verb)),
        groups_(verb == kDedup || verb == kExplain) {
    if (groups_ && !settings_.measure->nearest_is_equal) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"measure", options.measure},
                  "is not a distance, so it cannot decide what is a duplicate",
                  "use --measure cosine");
    }
  }

  [[nodiscard]] const Settings& settings() const override { return settings_.run; }
  [[nodiscard]] const ItemBound& bound() const override { return settings_.bound; }
  [[nodiscard]] bool is_nearest() const override { return settings_.nearest; }
  [[nodiscard]] bool is_brute() const override { return settings_.brute; }

  void read(ThreadPool& pool, const RunHooks& hooks, ItemPlaces& places,
            MissingFields missing) override {
    pool_ = &pool;
    hooks_ = &hooks;
    items_ = read_vectors({.options = options_,
                           .settings = settings_.run,
                           .pool = pool,
                           .hooks = hooks,
                           .places = &places,
                           .without_zeros = settings_.measure->without_zeros(),
                           .missing = missing},
                          options_.inputs);
    scratch_ = places.scratch.get();
    erase_rows(items_.column, items_.left_out);
    if (settings_.measure->needs_length) bring_into_range(items_.column);
    squares_ = squared_lengths(items_.column, pool);
    sides_ = sides_of(places.corpus, items_.left_out, has_other(options_));
    for (const RowRange& rows : {sides_.left, sides_.right.value_or(RowRange{})}) {
      settle_method(items_.column, std::span(squares_).subspan(rows.begin, rows.size()), settings_);
    }
  }

  [[nodiscard]] const JoinSides& sides() const override { return sides_; }
  [[nodiscard]] std::span<const RowId> left_out() const override { return items_.left_out; }
  [[nodiscard]] const ItemIds& own_ids() const override { return items_.ids; }
  [[nodiscard]] const ItemIds& other_ids() const override { return items_.against_ids; }
  [[nodiscard]] std::string_view bytes_of(std::size_t row) const override {
    return bytes_of_row(items_.column, row);
  }

  [[nodiscard]] JoinForecast foresee(const JoinNeeds& dedup, const JoinNeeds& pairs) override {
    constexpr std::size_t kUsualDimension = 128;
    if (items_.column.rows == 0) items_.column.dimension = kUsualDimension;
    JoinForecast forecast{forecast_vectors(all(), sides_, settings_, *pool_), std::nullopt, {}};
    const bool hashes = takes_lsh(forecast.methods, sides_);
    forecast.pairs = foresee_run(forecast.methods, hashes, pairs);
    if (settings_.measure->nearest_is_equal) {
      forecast.dedup = foresee_run(forecast.methods, hashes, dedup);
    }
    return forecast;
  }

  void prepare(const JoinNeeds& needs) override {
    if (!needs.only_measures) choose_method();
    const std::size_t dimension = items_.column.dimension;
    const std::size_t rows = items_.column.rows;
    if (lsh_) {
      memory_share_ = least_memory_share(dimension);
      const std::uint64_t row_bytes = sizeof(double) + needs.hashed_row_bytes;
      const std::uint64_t audit = needs.audit ? least_exact_bytes(dimension, pool_->size()) : 0;
      if (!planned_sides().is_nothing()) lsh_->hash(*scratch_, rows * row_bytes + audit);
    } else {
      memory_share_ = exact_memory_share(
          {.besides = memory_bytes(items_.column) + rows * (kExactRowBytes + needs.exact_row_bytes),
           .memory_bytes = settings_.run.memory_bytes,
           .dimension = dimension,
           .threads = pool_->size()});
    }
    // Found pairs are sorted again, together with the copies of rows.
    ExactMemoryShare memory_share = memory_share_;
    if (!groups_) memory_share.pair_bytes /= 2;
    exact_.emplace(all(), settings_, VectorRowJoins::How{!settings_.brute, memory_share}, *pool_,
                   *scratch_);
    truth_.emplace(all(), settings_, VectorRowJoins::How{lsh_.has_value(), memory_share_}, *pool_,
                   *scratch_);
  }

  [[nodiscard]] HashedItems hash(const SavedPlan& plan, const RowRange& items) const override {
    const LshPlan checked =
        checked_plan(plan, options_.plan, {options_, settings_.bound, settings_.lsh});
    return hashes_of(items_.column, items, {checked.family, checked, settings_.run.seed}, *pool_);
  }

  [[nodiscard]] bool hashes() const override { return lsh_.has_value(); }
  [[nodiscard]] std::uint64_t sort_bytes() const override {
    return lsh_ ? lsh_->sort_bytes() : memory_share_.pair_bytes / 2;
  }

  [[nodiscard]] JoinFacts facts() const override {
    return {items_.column.dimension, component_name(items_.column),
            lsh_ ? facts_of(lsh_->plan()) : method_of(settings_)};
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
    return explained_vectors(components(left), components(right));
  }
  [[nodiscard]] std::vector<std::string> parts_of(RowId row) const override {
    return explained_components(components(row));
  }
  [[nodiscard]] std::optional<HashedRow> hashed(RowId row) const override {
    return lsh_ ? std::optional(lsh_->hashed(row)) : std::nullopt;
  }

  [[nodiscard]] std::optional<PairForecast> forecast() override {
    if (lsh_) return PairForecast{forecast_.expected_pairs, 0};
    VectorJoinTask task = this->task({});
    estimate_pairs(task, settings_.run.seed, *pool_);
    pairs_a_row_ = task.pairs_a_row;
    const auto rows = static_cast<double>(sides_.left.size());
    return PairForecast{sides_.is_self() ? (pairs_a_row_ - 1) * rows / 2 : pairs_a_row_ * rows,
                        task.least_pairs};
  }

  std::uint64_t find_all(const SortedPairs<ScoredPair>::Prune& prune,
                         const EachPairs& each) override {
    return join_vectors(task(prune), *pool_, progress(), by_row(each)).candidates;
  }

  std::uint64_t find_nearest(std::uint64_t most, const EachPairs& each) override {
    return nearest_vectors({.left = some(sides_.left),
                            .right = some(sides_.right.value_or(sides_.left)),
                            .is_self = sides_.is_self(),
                            .measure = &*settings_.measure,
                            .most = most,
                            .filter = !settings_.brute,
                            .memory_share = memory_share_},
                           *pool_, progress(), by_row(each));
  }

  [[nodiscard]] std::unique_ptr<ItemLookup> lookup(ThreadPool& pool,
                                                   const RunHooks& hooks) const override {
    return vector_lookup({options_, pool, hooks}, settings_);
  }

 private:
  [[nodiscard]] std::vector<double> components(RowId row) const {
    return std::visit(
        [&](const auto& all) {
          const auto* begin = all.data() + row * items_.column.dimension;
          return std::vector<double>(begin, begin + items_.column.dimension);
        },
        items_.column.components);
  }

  [[nodiscard]] VectorSubset all() const { return all_of(items_.column, squares_); }
  [[nodiscard]] VectorSubset some(const RowRange& rows) const {
    return all().part(rows.begin, rows.end);
  }

  // The sides for which a plan is made. When grouping, rows of OTHER are treated like all others.
  [[nodiscard]] JoinSides planned_sides() const {
    return groups_ ? JoinSides{{0, static_cast<RowId>(items_.column.rows)}} : sides_;
  }

  // True if lsh is requested, or predicted to cost less.
  [[nodiscard]] bool takes_lsh(const LshForecast& forecast, const JoinSides& sides) const {
    if (settings_.lsh.family == nullptr) return false;
    if (settings_.lsh.required) return require_plan(forecast).bands > 0;
    return is_worth_planning(sides) && forecast.lsh_ns < forecast.exact_ns;
  }

  void choose_method() {
    if (settings_.lsh.family == nullptr) return;
    const JoinSides sides = planned_sides();
    if (!settings_.lsh.required && !is_worth_planning(sides)) return;
    const auto taken = plan_of_run({options_, settings_.bound, settings_.lsh}, hooks_->cancel);
    forecast_ = forecast_vectors(all(), sides, settings_, *pool_, taken);
    forecast_.sample = std::vector<double>();  // megabytes, which only the plan needed
    if (!takes_lsh(forecast_, sides)) return;
    warn_if_costly(forecast_, options_, *hooks_);
    const VectorColumn& column = items_.column;
    lsh_.emplace(all(), settings_, *pool_, *forecast_.plan,
                 sketched_items(options_, column.dimension, sides_.left.begin,
                                static_cast<RowId>(column.rows),
                                [&column](RowId item) { return identity_of(column, item); }));
  }

  [[nodiscard]] RunForecast foresee_run(const LshForecast& forecast, bool hashes,
                                        const JoinNeeds& needs) const {
    const VectorColumn& column = items_.column;
    if (hashes) {
      const BandNeeds of_bands =
          needs_of_bands(column, *forecast.plan, settings_, *pool_,
                         column.rows * (sizeof(double) + needs.hashed_row_bytes));
      return hashed_run(forecast, of_bands);
    }
    const std::uint64_t kept =
        memory_bytes(column) + column.rows * (kExactRowBytes + needs.exact_row_bytes);
    const ExactMemoryShare memory_share =
        exact_memory_share({kept, settings_.run.memory_bytes, column.dimension, 1});
    const std::uint64_t panels = settings_.brute ? 0 : column.rows * column.dimension;
    return exact_run(forecast, settings_.brute, method_of(settings_),
                     {kept + std::min(panels, memory_share.panel_bytes), memory_share.pair_bytes});
  }

  [[nodiscard]] VectorJoinTask task(const SortedPairs<ScoredPair>::Prune& prune) const {
    return {.left = some(sides_.left),
            .right = sides_.is_self() ? std::nullopt : std::optional(some(*sides_.right)),
            .measure = &*settings_.measure,
            .bound = settings_.bound.bound,
            .filter = !settings_.brute,
            .scratch = scratch_,
            .memory_share = memory_share_,
            .pairs_a_row = pairs_a_row_,
            .prune = prune};
  }

  // Converts pairs of rows to positions in the sides.
  [[nodiscard]] EachPairs by_row(const EachPairs& each) const {
    return shifted(sides_.left.begin, sides_.right.value_or(sides_.left).begin, each);
  }

  [[nodiscard]] std::function<void(std::size_t)> progress() const {
    return [this](std::size_t done) {
      if (hooks_->on_progress) hooks_->on_progress({"comparing", done, sides_.left.size()});
    };
  }

  const Options& options_;
  VectorSettings settings_;
  bool groups_;  // the verb is dedup or explain
  ThreadPool* pool_ = nullptr;
  const RunHooks* hooks_ = nullptr;
  Scratch* scratch_ = nullptr;
  VectorItems items_;            // items, OTHER's in front
  std::vector<double> squares_;  // squared lengths
  JoinSides sides_;
  ExactMemoryShare memory_share_;
  double pairs_a_row_ = 0;  // by forecast()
  LshForecast forecast_;    // where hashing is thought of
  std::optional<VectorLsh> lsh_;
  std::optional<VectorRowJoins> exact_;
  std::optional<VectorRowJoins> truth_;  // an exact run is audited without its filter
};

}  // namespace

std::unique_ptr<InMemoryJoiner> vector_joiner(VerbBit verb, const Options& options) {
  return std::make_unique<VectorJoiner>(verb, options);
}

}  // namespace sosie
