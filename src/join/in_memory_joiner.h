#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/item_rows.h"
#include "data/explained_line.h"
#include "data/hashed_items.h"
#include "data/run_summary.h"
#include "io/scratch.h"
#include "join/grouped_join.h"
#include "join/hashed_join.h"
#include "join/scored_pairs.h"
#include "options/bounds.h"
#include "options/settings.h"
#include "plan/lsh_forecast.h"
#include "plan/lsh_plan.h"
#include "plan/run_costs.h"
#include "plan/saved_plan.h"

namespace sosie {

class ItemLookup;

// Facts about a run's items and about the method by which they are joined.
struct JoinFacts {
  std::size_t dimension = 0;
  std::string components = {};  // "uint8", "bit"
  MethodFacts method = {};
};

// Facts about hashing with a plan. Their line is "lsh: 53 bands of 16 functions, hyperplane, 57 of
// 256 sketch bits may differ".
[[nodiscard]] MethodFacts facts_of(const LshPlan& plan);

// Number of bytes that dedup keeps per row: its place, its rank, its survivor.
inline constexpr std::uint64_t kDedupRowBytes = 80;

// Number of bytes that the caller of a join keeps per row, both if every pair is found and if rows
// are hashed.
struct JoinNeeds {
  std::uint64_t exact_row_bytes = 0;
  std::uint64_t hashed_row_bytes = 0;
  bool audit = false;          // hashed rows are also joined exactly
  bool only_measures = false;  // pairs are known, and only remeasured
};

// The run's own rows that take part. They are joined with each other or, if `across`, with OTHER's.
[[nodiscard]] JoinSides sides_of(const Corpus& corpus, std::span<const RowId> left_out,
                                 bool across);

// The number of pairs expected from a sample, and a guaranteed minimum.
struct PairForecast {
  double expected = 0;
  std::uint64_t least = 0;
};

// Predicted costs of a run.
struct RunForecast {
  MethodFacts method = {};
  RunCosts costs = {};  // seconds: only of the join
};

// Forecasts for joins of the rows that have been read.
struct JoinForecast {
  LshForecast methods;
  std::optional<RunForecast> dedup;  // nullopt: the measure cannot identify duplicates
  RunForecast pairs;                 // query, too
};

// Says how much more than brute force a requested cascade costs; empty if it does not cost more.
[[nodiscard]] std::string cost_warning(const LshForecast& forecast);
// Shows this warning to the user of a run.
void warn_if_costly(const LshForecast& forecast, const Options& options, const RunHooks& hooks);

// Forecasts for a run by lsh and for a run that compares every pair: the memory in use, and the
// memory for the pairs found.
struct ExactMemory {
  std::uint64_t kept;
  std::uint64_t pairs;
};
[[nodiscard]] RunForecast hashed_run(const LshForecast& forecast, const BandNeeds& needs);
[[nodiscard]] RunForecast exact_run(const LshForecast& forecast, bool brute, MethodFacts method,
                                    const ExactMemory& memory);

// The vectors, bit strings or strings of a run, in memory, and their join by one method, which
// finds the pairs of rows that reach the bound. Rows are numbered as in the corpus: first OTHER's
// rows, then the run's own. There is one derived class per kind.
class InMemoryJoiner {
 public:
  InMemoryJoiner() = default;
  InMemoryJoiner(const InMemoryJoiner&) = delete;
  InMemoryJoiner& operator=(const InMemoryJoiner&) = delete;
  virtual ~InMemoryJoiner() = default;

  [[nodiscard]] virtual const Settings& settings() const = 0;
  [[nodiscard]] virtual const ItemBound& bound() const = 0;
  // True if there is no bound, so that --top alone selects the pairs.
  [[nodiscard]] virtual bool is_nearest() const = 0;
  // True if every pair is measured.
  [[nodiscard]] virtual bool is_brute() const = 0;

  // Reads the items of both collections and fills in `places`. All arguments must outlive this
  // object. Errors: as for read_vectors() and read_bits(); malformed_input for items for which the
  // measure has no value, and for incompatible collections.
  virtual void read(ThreadPool& pool, const RunHooks& hooks, ItemPlaces& places,
                    MissingFields missing = MissingFields::refused) = 0;
  [[nodiscard]] virtual const JoinSides& sides() const = 0;
  // The rows of the corpus that take no part, ascending. The joiner does not contain them.
  [[nodiscard]] virtual std::span<const RowId> left_out() const = 0;
  // Names of the run's own items, and of OTHER's.
  [[nodiscard]] virtual const ItemIds& own_ids() const = 0;
  [[nodiscard]] virtual const ItemIds& other_ids() const = 0;
  // Bytes that are equal for equal items; they are valid as long as this object exists.
  [[nodiscard]] virtual std::string_view bytes_of(std::size_t row) const = 0;

  // The facts for `sosie plan`; called after read(), in place of prepare(). If there are no rows,
  // the facts are for items with a typical number of components or bits. `pairs` and `dedup`: the
  // needs of these runs. Empty for kinds that `sosie plan` does not support.
  [[nodiscard]] virtual JoinForecast foresee(const JoinNeeds& /*dedup*/,
                                             const JoinNeeds& /*pairs*/) {
    return {};
  }

  // Hashes of some items by the plan in `options.plan`, for sketch files; called after read(), in
  // place of prepare(). Implemented for kinds that are hashed. Throws Error{invalid_option} for a
  // plan made for other data or options, and Error{malformed_input} for a plan that the planner
  // cannot have made.
  [[nodiscard]] virtual HashedItems hash(const SavedPlan& /*plan*/,
                                         const RowRange& /*items*/) const {
    return {};
  }

  // Chooses the method and divides the memory; called after read(). Throws Error{limit_exceeded}.
  virtual void prepare(const JoinNeeds& needs) = 0;
  // True if rows are hashed, so that pairs may be missed. Every join then has a cost per row.
  [[nodiscard]] virtual bool hashes() const = 0;
  // True if find_all() measures equal items only once and keeps at most as many of their pairs as
  // there are rows.
  [[nodiscard]] virtual bool collapses_copies() const { return false; }
  // True if a few large joins cost less than many small ones.
  [[nodiscard]] virtual bool costs_by_row() const { return hashes(); }
  // True if one join of all rows costs less than several joins of some rows each.
  [[nodiscard]] virtual bool wholes_cost_less() const { return costs_by_row(); }
  // Minimum number of left rows in a part that --checkpoint saves.
  [[nodiscard]] virtual std::size_t least_saved_rows() const { return hashes() ? 65536 : 8192; }
  // Memory for found pairs that a caller sorts.
  [[nodiscard]] virtual std::uint64_t sort_bytes() const = 0;
  [[nodiscard]] virtual JoinFacts facts() const = 0;

  // Reports the pairs of some rows by their positions. `split` above 0: only pairs of a row before
  // it and a later row. Pairs are sorted by (left, right) and come from one thread or, if hashes(),
  // are in arbitrary order and come from several threads. Returns how many pairs were measured.
  // Throws Error{cancelled}.
  [[nodiscard]] virtual std::uint64_t find(std::span<const RowId> rows, std::size_t split,
                                           const EachPairs& each) const = 0;
  // Only if hashes(): reports the candidates among some rows whose first equal key is in a range,
  // as measure_part() does.
  virtual void find_part(std::span<const RowId> /*rows*/, const KeyRange& /*range*/,
                         const EachPairs& /*each*/) const {}
  // Finds every pair by a method that differs from the run's, so that the run can be audited.
  [[nodiscard]] virtual std::uint64_t find_truth(std::span<const RowId> rows, std::size_t split,
                                                 const EachPairs& each) const = 0;
  // The value of a pair that reaches the bound; else nullopt.
  [[nodiscard]] virtual std::optional<double> measure(RowId left, RowId right) const = 0;
  // The value of any pair.
  [[nodiscard]] virtual double value(RowId left, RowId right) const = 0;
  // Expected seconds that value() takes for a pair beyond the bound; 0 if no pair takes long.
  [[nodiscard]] virtual double value_seconds(RowId /*left*/, RowId /*right*/) const { return 0; }

  // The text of a row as it is compared, if items are texts; otherwise empty.
  using TextOfRow = std::function<std::string(RowId row)>;
  [[nodiscard]] virtual TextOfRow compared_text() const { return {}; }
  // The differences between two items, for people, as lines with a label and a text.
  [[nodiscard]] virtual std::vector<ExplainedLine> describe(RowId left, RowId right) const = 0;

  // All parts of an item, for people, and its hashes; the hashes are empty if rows are not hashed.
  [[nodiscard]] virtual std::vector<std::string> parts_of(RowId /*row*/) const { return {}; }
  [[nodiscard]] virtual std::optional<HashedRow> hashed(RowId /*row*/) const { return {}; }

  // Expected number of pairs to be checked if prepare() has computed it, otherwise 0.
  [[nodiscard]] virtual double expected_checks() const { return 0; }
  // Expected number of pairs if a sample allows an estimate.
  [[nodiscard]] virtual std::optional<PairForecast> forecast() = 0;
  // Reports all pairs within the run's own rows, or between them and OTHER's, sorted by (left,
  // right). `prune` may remove pairs that are not needed. Must not be called if hashes().
  virtual std::uint64_t find_all(const SortedPairs<ScoredPair>::Prune& prune,
                                 const EachPairs& each) = 0;
  // Reports, row by row, the `most` nearest of OTHER's rows for each of the run's own.
  virtual std::uint64_t find_nearest(std::uint64_t most, const EachPairs& each) = 0;

  // OTHER's items, prepared for look-ups; called in place of read() and all later functions.
  [[nodiscard]] virtual std::unique_ptr<ItemLookup> lookup(ThreadPool& pool,
                                                           const RunHooks& hooks) const = 0;
};

// Throw Error{invalid_option} for options that do not apply to such items or exclude each other.
// `options` must outlive the joiner.
[[nodiscard]] std::unique_ptr<InMemoryJoiner> vector_joiner(VerbBit verb, const Options& options);
[[nodiscard]] std::unique_ptr<InMemoryJoiner> bit_joiner(VerbBit verb, const Options& options);
[[nodiscard]] std::unique_ptr<InMemoryJoiner> string_joiner(VerbBit verb, const Options& options);

// True for kinds that have a joiner; item_joiner() makes the joiner for options.kind, which must be
// such a kind.
[[nodiscard]] bool is_item_kind(KindBit kind) noexcept;
[[nodiscard]] std::unique_ptr<InMemoryJoiner> item_joiner(VerbBit verb, const Options& options);

// A hash of the first `items` items, by which a later run recognises them.
[[nodiscard]] std::uint64_t hash_of_items(const InMemoryJoiner& joiner, RowId items);

}  // namespace sosie
