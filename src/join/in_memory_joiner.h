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

// Facts about a run's items and the method that joins them.
struct JoinFacts {
  std::size_t dimension = 0;
  std::string components = {};  // "uint8", "bit"
  MethodFacts method = {};
};

// Facts about a plan's hashing; their line is "lsh: 53 bands of 16 functions, hyperplane, 57 of 256
// sketch bits may differ".
[[nodiscard]] MethodFacts facts_of(const LshPlan& plan);

// Bytes that dedup keeps of each row: its place, its rank, its survivor.
inline constexpr std::uint64_t kDedupRowBytes = 80;

// Bytes that the caller of a join keeps for each row, when every pair is found and when rows are
// hashed.
struct JoinNeeds {
  std::uint64_t exact_row_bytes = 0;
  std::uint64_t hashed_row_bytes = 0;
  bool audit = false;          // hashed rows are joined exactly, too
  bool only_measures = false;  // pairs are known, and measured again
};

// The run's own rows that take part, with each other or, `across`, with OTHER's.
[[nodiscard]] JoinSides sides_of(const Corpus& corpus, std::span<const RowId> left_out,
                                 bool across);

// Number of pairs expected from a sample, and the least number that there must be.
struct PairForecast {
  double expected = 0;
  std::uint64_t least = 0;
};

// Predicted costs of a run.
struct RunForecast {
  MethodFacts method = {};
  RunCosts costs = {};  // seconds: of the join alone
};

// Forecasts of joins of rows that were read.
struct JoinForecast {
  LshForecast methods;
  std::optional<RunForecast> dedup;  // nothing: the measure cannot tell duplicates
  RunForecast pairs;                 // query, too
};

// Says how much more than brute force a cascade that was asked for costs; empty where no more.
[[nodiscard]] std::string cost_warning(const LshForecast& forecast);
// Tells the user of a run.
void warn_if_costly(const LshForecast& forecast, const Options& options, const RunHooks& hooks);

// Forecasts of runs by lsh, and by every pair: what is kept, and what may be kept of found pairs.
struct ExactMemory {
  std::uint64_t kept;
  std::uint64_t pairs;
};
[[nodiscard]] RunForecast hashed_run(const LshForecast& forecast, const BandNeeds& needs);
[[nodiscard]] RunForecast exact_run(const LshForecast& forecast, bool brute, MethodFacts method,
                                    const ExactMemory& memory);

// Vectors, bit strings or strings of a run, in memory, and the join of them by one method: which
// pairs of rows reach the bound? Rows are numbered as in the corpus: OTHER's, then the run's own.
// One class a kind.
class InMemoryJoiner {
 public:
  InMemoryJoiner() = default;
  InMemoryJoiner(const InMemoryJoiner&) = delete;
  InMemoryJoiner& operator=(const InMemoryJoiner&) = delete;
  virtual ~InMemoryJoiner() = default;

  [[nodiscard]] virtual const Settings& settings() const = 0;
  [[nodiscard]] virtual const ItemBound& bound() const = 0;
  // --top alone decides which pairs are wanted: there is no bound.
  [[nodiscard]] virtual bool is_nearest() const = 0;
  // Every pair is measured.
  [[nodiscard]] virtual bool is_brute() const = 0;

  // Reads the items of both collections, and fills in the places. All arguments outlive this.
  // Errors: as read_vectors() and read_bits(); malformed_input for items that the measure has no
  // value for, and for collections that do not go together.
  virtual void read(ThreadPool& pool, const RunHooks& hooks, ItemPlaces& places) = 0;
  [[nodiscard]] virtual const JoinSides& sides() const = 0;
  // Rows of the corpus that take no part, ascending: the joiner has no such rows.
  [[nodiscard]] virtual std::span<const RowId> left_out() const = 0;
  // Names of the run's own items, and of OTHER's.
  [[nodiscard]] virtual const ItemIds& own_ids() const = 0;
  [[nodiscard]] virtual const ItemIds& other_ids() const = 0;
  // Equal for equal items; as long as this lives.
  [[nodiscard]] virtual std::string_view bytes_of(std::size_t row) const = 0;

  // Behind read(), in place of prepare(): what `sosie plan` says. Without rows it is said of items
  // that have as many components or bits as is usual. `pairs`, `dedup`: needs of these runs.
  // Nothing is foreseen of kinds that `sosie plan` is not there for.
  [[nodiscard]] virtual JoinForecast foresee(const JoinNeeds& /*dedup*/,
                                             const JoinNeeds& /*pairs*/) {
    return {};
  }

  // Behind read(), in place of prepare(): hashes of some items by the plan of `options.plan`, for
  // sketch files; kinds that are hashed have it. Throws Error{invalid_option} for a plan that was
  // made for something else, Error{malformed_input} for one that nobody planned.
  [[nodiscard]] virtual HashedItems hash(const SavedPlan& /*plan*/,
                                         const RowRange& /*items*/) const {
    return {};
  }

  // Behind read(): chooses the method and divides the memory. Throws Error{limit_exceeded}.
  virtual void prepare(const JoinNeeds& needs) = 0;
  // True if rows are hashed, and pairs may be left out. Then every join has a cost for each row.
  [[nodiscard]] virtual bool hashes() const = 0;
  // True if find_all() measures equal items once, and keeps no more of their pairs than rows.
  [[nodiscard]] virtual bool collapses_copies() const { return false; }
  // True if a few large joins cost less than many small ones.
  [[nodiscard]] virtual bool costs_by_row() const { return hashes(); }
  // True if one join of all rows costs less than joins of some rows after others do.
  [[nodiscard]] virtual bool wholes_cost_less() const { return costs_by_row(); }
  // Least number of left rows of a part that --checkpoint saves.
  [[nodiscard]] virtual std::size_t least_saved_rows() const { return hashes() ? 65536 : 8192; }
  // Part of the memory for found pairs that a caller sorts.
  [[nodiscard]] virtual std::uint64_t sort_bytes() const = 0;
  [[nodiscard]] virtual JoinFacts facts() const = 0;

  // Hands over the pairs of some rows (`split` above 0: between those before it and the others) by
  // their positions: sorted by (left, right) from one thread, or, where hashes(), in any order from
  // several. Returns how many pairs were measured. Throws Error{cancelled}.
  [[nodiscard]] virtual std::uint64_t find(std::span<const RowId> rows, std::size_t split,
                                           const EachPairs& each) const = 0;
  // Where hashes(): hands over the candidates among some rows whose first equal key is in a range,
  // as measure_part() does.
  virtual void find_part(std::span<const RowId> /*rows*/, const KeyRange& /*range*/,
                         const EachPairs& /*each*/) const {}
  // Finds every pair, in another way than the run does: for its audit.
  [[nodiscard]] virtual std::uint64_t find_truth(std::span<const RowId> rows, std::size_t split,
                                                 const EachPairs& each) const = 0;
  // The value of a pair that reaches the bound; nothing of others.
  [[nodiscard]] virtual std::optional<double> measure(RowId left, RowId right) const = 0;
  // The value of any pair.
  [[nodiscard]] virtual double value(RowId left, RowId right) const = 0;
  // Expected seconds of value() for a pair beyond the bound; 0: no pair takes long.
  [[nodiscard]] virtual double value_seconds(RowId /*left*/, RowId /*right*/) const { return 0; }

  // Text that is compared of a row, for items that are texts; empty for others.
  using TextOfRow = std::function<std::string(RowId row)>;
  [[nodiscard]] virtual TextOfRow compared_text() const { return {}; }
  // Differences of two items, in lines of a label and a text, for people.
  [[nodiscard]] virtual std::vector<ExplainedLine> describe(RowId left, RowId right) const = 0;

  // All that an item is put together of, and what hashing makes of it; nothing where rows are not
  // hashed.
  [[nodiscard]] virtual std::vector<std::string> parts_of(RowId /*row*/) const { return {}; }
  [[nodiscard]] virtual std::optional<HashedRow> hashed(RowId /*row*/) const { return {}; }

  // Expected number of pairs that are looked at, where prepare() has it; else 0.
  [[nodiscard]] virtual double expected_checks() const { return 0; }
  // Expected number of pairs, if a sample can tell.
  [[nodiscard]] virtual std::optional<PairForecast> forecast() = 0;
  // All pairs within the run's own rows, or between them and OTHER's, sorted by (left, right);
  // `prune` may leave out what is not wanted. Unless hashes().
  virtual std::uint64_t find_all(const SortedPairs<ScoredPair>::Prune& prune,
                                 const EachPairs& each) = 0;
  // The `most` nearest of OTHER's rows for each of the run's own, one row after another.
  virtual std::uint64_t find_nearest(std::uint64_t most, const EachPairs& each) = 0;

  // In place of read() and all that follows: OTHER's items, for others to be looked up in.
  [[nodiscard]] virtual std::unique_ptr<ItemLookup> lookup(ThreadPool& pool,
                                                           const RunHooks& hooks) const = 0;
};

// Throw Error{invalid_option} for options that say nothing of such items, or cannot be meant
// together. `options` outlive the joiner.
[[nodiscard]] std::unique_ptr<InMemoryJoiner> vector_joiner(std::string_view verb,
                                                            const Options& options);
[[nodiscard]] std::unique_ptr<InMemoryJoiner> bit_joiner(std::string_view verb,
                                                         const Options& options);
[[nodiscard]] std::unique_ptr<InMemoryJoiner> string_joiner(std::string_view verb,
                                                            const Options& options);

// True for kinds that have a joiner; the joiner of options.kind, which is one of these.
[[nodiscard]] bool is_item_kind(std::string_view kind) noexcept;
[[nodiscard]] std::unique_ptr<InMemoryJoiner> item_joiner(std::string_view verb,
                                                          const Options& options);

// Hash of the first `items` items, by which a later run knows them again.
[[nodiscard]] std::uint64_t hash_of_items(const InMemoryJoiner& joiner, RowId items);

}  // namespace sosie
