#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "corpus/identical.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "join/pair_selection.h"
#include "join/scored_pairs.h"

namespace sosie {

// A pair of rows, left < right unless the measure is ordered; with --against, left is the run's own
// and right a row of OTHER.
struct RowPair {
  RowId left;
  RowId right;
  Overlap overlap;
};

[[nodiscard]] inline std::uint64_t sort_key(const RowPair& pair) noexcept {
  return std::uint64_t{pair.left} << 32 | pair.right;
}

// Higher similarity first, exactly (as fractions); then input order.
struct MoreSimilar {
  const Measure* measure;

  bool operator()(const RowPair& a, const RowPair& b) const noexcept {
    if (measure->is_above(a.overlap, b.overlap)) return true;
    if (measure->is_above(b.overlap, a.overlap)) return false;
    return sort_key(a) < sort_key(b);
  }
};

extern template class SortedRecords<RowPair>;
extern template class PairChooser<RowPair, MoreSimilar>;

// Bounds and order of listed pairs.
struct RowPairChoice {
  PairSelection wanted;
  PairOrder order = PairOrder::input;
  const Measure& measure;
  const BoundFacts& facts;
  PairMemory memory;
};
using TakeRowPairs = std::function<void(std::span<const RowPair>)>;

// Passes the pairs selected by --top, --top-pairs and --limit to `each`, left rows in input order,
// the pairs of each in the requested order. `find`: passes all pairs to its argument, by (left,
// right). Throws Error{limit_exceeded}.
void choose_row_pairs(const RowPairChoice& choice,
                      const std::function<void(const TakeRowPairs& take)>& find,
                      const EachPairs& each);

// The pairs of rows represented by pairs of items, collected in memory or scratch and read in input
// order: rows with identical texts are pairs with each other, and each of them with all rows to
// which their item is similar. For an ordered measure (left, right) and (right, left) are two
// pairs, each of which must reach the threshold. Stores each left row with a group of identical
// right ones, and only as many of these as --top and --top-pairs can list.
class RowPairCollector {
 public:
  struct Task {
    const Measure* measure = nullptr;
    Rational threshold;
    bool across = false;  // only rows of different collections are pairs
    PairSelection wanted;
    PairMemory memory;
    std::function<void(std::uint64_t pairs)> check;  // receives the pairs so far; may throw
  };

  // `items`: tells which rows are identical; must outlive this object; null: pairs are added as
  // rows.
  RowPairCollector(const Items* items, Task task);

  // Called from several threads, once for each pair. Throw as `check` and SortedPairs::add() do.
  void add(std::span<const VerifiedPair> pairs);  // pairs of items
  // Without items: pairs of single rows, left < right unless across.
  void add_rows(std::span<const RowPair> pairs);
  // Without items: two groups of identical rows, each in input order, as pairs with each other;
  // with --against `left` is from OTHER.
  void add_groups(std::span<const RowId> left, std::span<const RowId> right,
                  const Overlap& overlap);
  // Without items: a group of identical rows, in input order, as pairs among themselves.
  void add_group(std::span<const RowId> rows);
  // Call it after the last add().
  void finish();

  // Number of all pairs found, listed or not.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  // Calls each(pairs) for a few thousand pairs at a time, by (left, right), until it returns false.
  void for_each(const std::function<bool(std::span<const RowPair>)>& each) const;

 private:
  [[nodiscard]] std::span<const RowId> rows_of(Place item) const noexcept;
  [[nodiscard]] bool is_pair(const Overlap& overlap) const noexcept;
  void list_rows();
  void add_identical();
  void add_pair(std::span<const RowId> left, std::span<const RowId> right, const Overlap& overlap,
                std::vector<RowPair>& out);
  void add_lefts(std::span<const RowId> lefts, std::span<const RowId> rights,
                 const Overlap& overlap, std::vector<RowPair>& out);
  void hand_over(std::vector<RowPair>& pairs);
  void add_count(std::uint64_t pairs);
  void expand(const RowPair& kept, std::vector<RowPair>& out) const;

  const Items* items_;
  Task task_;
  // Rows by item, in input order within an item; empty if every item is a single row.
  std::vector<RowId> rows_;
  std::vector<std::uint64_t> row_starts_;
  SortedPairs<RowPair> kept_;  // pairs of items; right: the first partner of left
  std::atomic<std::uint64_t> count_ = 0;
};

}  // namespace sosie
