// Joins the strings of a run: by parts that near strings share, or by comparing every pair.
#include <algorithm>

#include "core/memory_budget.h"
#include "corpus/items/explained.h"
#include "corpus/items/string_items.h"
#include "join/in_memory_joiner.h"
#include "join/strings/string_join.h"
#include "join/strings/string_row_joins.h"
#include "join/strings/string_searcher.h"
#include "options/string_settings.h"

namespace sosie {
namespace {

class StringJoiner final : public InMemoryJoiner {
 public:
  StringJoiner(VerbBit verb, const Options& options)
      : options_(options),
        settings_(resolve_strings(options, verb)),
        groups_(verb == kDedup || verb == kExplain) {}

  [[nodiscard]] const Settings& settings() const override { return settings_.run; }
  [[nodiscard]] const ItemBound& bound() const override { return settings_.bound; }
  [[nodiscard]] bool is_nearest() const override { return settings_.nearest; }
  [[nodiscard]] bool is_brute() const override { return settings_.brute; }

  void read(ThreadPool& pool, const RunHooks& hooks, ItemPlaces& places,
            MissingFields missing) override {
    pool_ = &pool;
    items_ = read_strings({.options = options_,
                           .settings = settings_.run,
                           .pool = pool,
                           .hooks = hooks,
                           .places = &places,
                           .missing = missing},
                          settings_.form, options_.inputs);
    scratch_ = places.scratch.get();
    erase_strings(items_.column, items_.left_out);
    const bool across = !options_.against.empty() || options_.against_table;
    sides_ = sides_of(places.corpus, items_.left_out, across);
  }

  [[nodiscard]] const JoinSides& sides() const override { return sides_; }
  [[nodiscard]] std::span<const RowId> left_out() const override { return items_.left_out; }
  [[nodiscard]] const ItemIds& own_ids() const override { return no_ids_; }
  [[nodiscard]] const ItemIds& other_ids() const override { return no_ids_; }
  [[nodiscard]] std::string_view bytes_of(std::size_t row) const override {
    return items_.column.row(row).bytes();
  }

  void prepare(const JoinNeeds& needs) override {
    constexpr std::uint64_t kOrderedRowBytes = 60;
    // Listed rows are copied before they are sorted.
    const bool lists = groups_ || !options_.checkpoint.empty();
    const std::uint64_t copies = settings_.brute ? 0 : 1;
    require_memory(items_.column, copies + (lists ? 1 : 0),
                   (settings_.brute ? 0 : kOrderedRowBytes) + needs.exact_row_bytes,
                   settings_.run.memory_bytes);
    StringJoinTask planned = task();
    if (groups_) planned.sides = {{0, static_cast<RowId>(items_.column.rows())}};
    if (!settings_.nearest) plan_ = plan_join(planned);
    const auto joins = [&](std::optional<StringRowJoins>& made, bool brute) {
      made.emplace(items_.column,
                   StringRowRules{settings_.edits, brute, settings_.run.memory_bytes}, *pool_,
                   *scratch_);
    };
    joins(exact_, settings_.brute);
    joins(truth_, /*brute=*/true);
  }

  [[nodiscard]] bool hashes() const override { return false; }
  [[nodiscard]] bool collapses_copies() const override { return !plan_.brute; }
  [[nodiscard]] bool costs_by_row() const override { return !settings_.brute; }
  // Each part generates the keys of all rows, so smaller joins are not divided.
  [[nodiscard]] std::size_t least_saved_rows() const override {
    constexpr double kPartNs = 2e10;
    if (settings_.brute) return InMemoryJoiner::least_saved_rows();
    const double share = kPartNs / std::max(plan_.nanoseconds, kPartNs);
    return static_cast<std::size_t>(static_cast<double>(items_.column.rows()) * share) + 1;
  }
  [[nodiscard]] std::uint64_t sort_bytes() const override {
    return MemoryBudget{settings_.run.memory_bytes}.sorts();
  }
  [[nodiscard]] JoinFacts facts() const override {
    if (settings_.nearest) return facts_of_lookups(settings_.brute);
    return {0,
            "character",
            {.method = plan_.brute ? Method::brute : Method::exact, .line = plan_.line}};
  }

  [[nodiscard]] std::uint64_t find(std::span<const RowId> rows, std::size_t split,
                                   const EachPairs& each) const override {
    return exact_->by_place(rows, split, each);
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
  [[nodiscard]] double value_seconds(RowId left, RowId right) const override {
    return exact_->value_seconds(left, right);
  }

  [[nodiscard]] TextOfRow compared_text() const override {
    return [this](RowId row) { return text_of(items_.column, items_.symbols, row); };
  }
  [[nodiscard]] std::vector<ExplainedLine> describe(RowId left, RowId right) const override {
    return explained_strings(settings_.measure.edits,
                             code_points_of(items_.column, items_.symbols, left),
                             code_points_of(items_.column, items_.symbols, right));
  }

  [[nodiscard]] std::vector<std::string> parts_of(RowId row) const override {
    const auto letters = code_points_of(items_.column, items_.symbols, row);
    std::vector<std::string> parts;
    parts.reserve(letters.size());
    for (const char32_t letter : letters) parts.push_back(text_of(std::span(&letter, 1)));
    return parts;
  }

  [[nodiscard]] double expected_checks() const override { return plan_.checks; }
  [[nodiscard]] std::optional<PairForecast> forecast() override {
    const double pairs = static_cast<double>(sides_.left.size()) * sides_.partners();
    return PairForecast{exact_->sampled_share(sides_, settings_.run.seed) * pairs,
                        exact_->least_pairs(sides_)};
  }

  std::uint64_t find_all(const SortedPairs<ScoredPair>::Prune& prune,
                         const EachPairs& each) override {
    StringJoinTask all = task();
    all.prune = prune;
    all.plan = plan_;
    all.most_equal = pair_selection(options_).most_equal();
    return join_strings(all, *pool_, each).candidates;
  }

  std::uint64_t find_nearest(std::uint64_t most, const EachPairs& each) override {
    return nearest_strings(
        items_.column, sides_,
        {.bound = settings_.edits, .nearest = true, .brute = settings_.brute, .most = most}, *pool_,
        each);
  }

  [[nodiscard]] std::unique_ptr<ItemLookup> lookup(ThreadPool& pool,
                                                   const RunHooks& hooks) const override {
    return string_lookup({options_, pool, hooks}, settings_);
  }

 private:
  [[nodiscard]] StringJoinTask task() const {
    return {.column = &items_.column,
            .sides = sides_,
            .bound = settings_.edits,
            .brute = settings_.brute,
            .limit = pair_selection(options_).all() ? options_.limit : 0,
            .facts = settings_.bound.facts,
            .scratch = scratch_,
            .memory_bytes = settings_.run.memory_bytes};
  }

  const Options& options_;
  StringSettings settings_;
  bool groups_;  // the verb is dedup or explain
  ThreadPool* pool_ = nullptr;
  Scratch* scratch_ = nullptr;
  StringItems items_;  // OTHER's in front
  ItemIds no_ids_;     // rows are called by their numbers, or have a field that says how
  JoinSides sides_;
  StringJoinPlan plan_;
  std::optional<StringRowJoins> exact_;
  std::optional<StringRowJoins> truth_;
};

}  // namespace

std::unique_ptr<InMemoryJoiner> string_joiner(VerbBit verb, const Options& options) {
  return std::make_unique<StringJoiner>(verb, options);
}

}  // namespace sosie
