// Vectors as a run joins them: by integer products with a proven bound, by locality-sensitive
// hashing, or every pair.
#include "corpus/vector_items.h"
#include "join/item_joiner.h"
#include "join/vector_join.h"
#include "join/vector_lookup.h"
#include "join/vector_lsh.h"
#include "join/vector_nearest.h"
#include "join/vector_row_joins.h"
#include "join/vector_sides.h"
#include "options/vector_settings.h"
#include "sosie/error.h"
#include "verify/vector_range.h"

namespace sosie {
namespace {

// One collection.
struct Side {
  VectorItems items;
  std::vector<double> squares;  // squared lengths

  [[nodiscard]] VectorSubset all() const { return all_of(items.column, squares); }
  [[nodiscard]] std::size_t rows() const noexcept { return items.column.rows; }
};

class VectorJoiner final : public ItemJoiner {
 public:
  VectorJoiner(std::string_view verb, const Options& options)
      : options_(options), settings_(resolve_vectors(options, verb)) {
    if (verb == "dedup" && !settings_.measure->nearest_is_equal) {
      throw Error(ErrorKind::invalid_option,
                  "--measure " + options.measure + ": is no distance, and cannot tell duplicates",
                  "say --measure cosine");
    }
  }

  [[nodiscard]] const Settings& settings() const override { return settings_.run; }
  [[nodiscard]] const MeasuredBound& bound() const override { return settings_.bound; }
  [[nodiscard]] bool is_nearest() const override { return settings_.nearest; }
  [[nodiscard]] bool is_brute() const override { return settings_.brute; }

  void read(ThreadPool& pool, const RunHooks& hooks, ItemPlaces* places) override {
    pool_ = &pool;
    hooks_ = &hooks;
    has_places_ = places != nullptr;
    first_.items = read_vectors({options_, settings_.run, pool, hooks, places}, options_.inputs);
    scratch_ = scratch_of_run(settings_.run, places, own_scratch_);
    const auto rows = static_cast<RowId>(first_.rows());
    own_ = {0, rows};
    others_ = {rows, rows};
    if (places != nullptr) {
      own_.begin = places->corpus.first_own_row;
      others_ = {0, own_.begin};
    } else if (!options_.against.empty()) {
      second_.emplace();
      second_->items =
          read_vectors({options_, settings_.run, pool, hooks, nullptr, true}, options_.against);
      give_one_type(first_.items, second_->items);
      others_.end = rows + static_cast<RowId>(second_->rows());
    }
    for_each_side([&](Side& side) {
      if (settings_.measure->needs_length) bring_into_range(side.items.column);
      side.squares = squared_lengths(side.items.column, pool);
    });
    for_each_side([&](Side& side) { settle_method(side.items.column, side.squares, settings_); });
    if (!settings_.measure->needs_length) return;
    for_each_side(
        [&](Side& side) { require_directions(side.items, side.squares, settings_.measure->name); });
  }

  [[nodiscard]] Scratch& scratch() const override { return *scratch_; }
  [[nodiscard]] RowRange own() const override { return own_; }
  [[nodiscard]] RowRange others() const override { return others_; }
  [[nodiscard]] const ItemIds& own_ids() const override { return first_.items.ids; }
  [[nodiscard]] const ItemIds& other_ids() const override {
    return second_ ? second_->items.ids : first_.items.against_ids;
  }
  [[nodiscard]] std::vector<std::string> paths() const override {
    std::vector<std::string> all = first_.items.paths;
    if (second_) all.insert(all.end(), second_->items.paths.begin(), second_->items.paths.end());
    return all;
  }
  [[nodiscard]] std::string_view bytes_of(std::size_t row) const override {
    const std::size_t firsts = first_.rows();
    return row < firsts ? bytes_of_row(first_.items.column, row)
                        : bytes_of_row(second_->items.column, row - firsts);
  }

  void prepare(const JoinNeeds& needs) override {
    choose_method();
    const std::size_t dimension = first_.items.column.dimension;
    if (lsh_) {
      room_ = least_room(dimension);
      const bool nothing = first_.rows() == 0 || (second_ && second_->rows() == 0);
      const std::uint64_t row_bytes = sizeof(double) + needs.hashed_row_bytes;
      const std::uint64_t audit = needs.audit ? least_exact_bytes(dimension, pool_->size()) : 0;
      if (!nothing) lsh_->hash(*scratch_, all_rows() * row_bytes + audit);
    } else {
      room_ = room_for_exact(
          {.besides = item_bytes() + all_rows() * (kExactRowBytes + needs.exact_row_bytes),
           .memory_bytes = settings_.run.memory_bytes,
           .dimension = dimension,
           .threads = pool_->size()});
    }
    // Without places what these find is sorted again, with the copies of rows.
    ExactRoom room = room_;
    if (!has_places_) room.pair_bytes /= 2;
    exact_.emplace(rows(), settings_, VectorRowJoins::How{!settings_.brute, room}, *pool_,
                   *scratch_);
    truth_.emplace(rows(), settings_, VectorRowJoins::How{lsh_.has_value(), room_}, *pool_,
                   *scratch_);
  }

  [[nodiscard]] bool hashes() const override { return lsh_.has_value(); }
  [[nodiscard]] std::uint64_t sort_bytes() const override {
    return lsh_ ? lsh_->sort_bytes() : room_.pair_bytes / 2;
  }

  [[nodiscard]] JoinFacts facts() const override {
    JoinFacts facts{.kind = "vectors",
                    .bytes = first_.items.bytes + (second_ ? second_->items.bytes : 0),
                    .dimension = first_.items.column.dimension,
                    .components = component_name(first_.items.column)};
    set_method(settings_, lsh_ ? &lsh_->plan() : nullptr, facts);
    return facts;
  }

  [[nodiscard]] std::uint64_t find(std::span<const RowId> rows, std::size_t split,
                                   const EachPairs& each) const override {
    return lsh_ ? lsh_->join(rows, split, each) : exact_->by_place(rows, split, each);
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

  [[nodiscard]] std::optional<PairForecast> forecast() override {
    if (lsh_) return PairForecast{lsh_->expected_pairs(), 0};
    VectorJoinTask task = this->task({});
    estimate_pairs(task, settings_.run.seed, *pool_);
    pairs_a_row_ = task.pairs_a_row;
    const auto rows = static_cast<double>(first_.rows());
    return PairForecast{second_ ? pairs_a_row_ * rows : (pairs_a_row_ - 1) * rows / 2,
                        task.least_pairs};
  }

  std::uint64_t find_all(const SortedPairs<MeasuredPair>::Prune& prune,
                         const EachPairs& each) override {
    return join_vectors(task(prune), *pool_, progress(), each).candidates;
  }

  std::uint64_t find_nearest(std::uint64_t most, const EachPairs& each) override {
    return nearest_vectors({.left = first_.all(),
                            .right = second_->all(),
                            .measure = &*settings_.measure,
                            .most = most,
                            .filter = !settings_.brute,
                            .room = room_},
                           *pool_, progress(), each);
  }

  [[nodiscard]] std::unique_ptr<ItemLookup> lookup(ThreadPool& pool,
                                                   const RunHooks& hooks) const override {
    return vector_lookup({options_, pool, hooks}, settings_);
  }

 private:
  template <typename Each>
  void for_each_side(const Each& each) {
    each(first_);
    if (second_) each(*second_);
  }

  [[nodiscard]] JoinedRows rows() const {
    return {first_.all(), second_ ? std::optional(second_->all()) : std::nullopt};
  }
  [[nodiscard]] std::uint64_t all_rows() const noexcept {
    return first_.rows() + (second_ ? second_->rows() : 0);
  }
  [[nodiscard]] std::uint64_t item_bytes() const {
    return memory_bytes(first_.items.column) + (second_ ? memory_bytes(second_->items.column) : 0);
  }

  // lsh where it is asked for, or predicted to cost less.
  void choose_method() {
    if (settings_.lsh.family == nullptr) return;
    const VectorColumn& column = first_.items.column;
    const VectorColumn* other = second_ ? &second_->items.column : nullptr;
    if (!settings_.lsh.required && !is_worth_planning(column.rows, other)) return;
    std::vector<double> squares = first_.squares;
    if (second_) squares.insert(squares.end(), second_->squares.begin(), second_->squares.end());
    lsh_.emplace(column, other, std::move(squares), settings_, *pool_);
    if (!settings_.lsh.required && !lsh_->is_cheaper()) lsh_.reset();
  }

  [[nodiscard]] VectorJoinTask task(const SortedPairs<MeasuredPair>::Prune& prune) const {
    const JoinedRows both = rows();
    return {.left = both.own,
            .right = both.behind,
            .measure = &*settings_.measure,
            .bound = settings_.bound.bound,
            .filter = !settings_.brute,
            .scratch = scratch_,
            .room = room_,
            .pairs_a_row = pairs_a_row_,
            .prune = prune};
  }

  [[nodiscard]] std::function<void(std::size_t)> progress() const {
    return [this](std::size_t done) {
      if (hooks_->on_progress) hooks_->on_progress({"comparing", done, first_.rows()});
    };
  }

  const Options& options_;
  VectorSettings settings_;
  ThreadPool* pool_ = nullptr;
  std::unique_ptr<Scratch> own_scratch_;  // without places
  Scratch* scratch_ = nullptr;
  const RunHooks* hooks_ = nullptr;
  bool has_places_ = false;
  Side first_;                  // with places those of OTHER in front, too
  std::optional<Side> second_;  // without places: those of OTHER
  RowRange own_;
  RowRange others_;
  ExactRoom room_;
  double pairs_a_row_ = 0;  // by forecast()
  std::optional<VectorLsh> lsh_;
  std::optional<VectorRowJoins> exact_;
  std::optional<VectorRowJoins> truth_;  // an exact run is audited without its filter
};

}  // namespace

std::unique_ptr<ItemJoiner> vector_joiner(std::string_view verb, const Options& options) {
  return std::make_unique<VectorJoiner>(verb, options);
}

}  // namespace sosie
