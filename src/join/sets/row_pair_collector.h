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

// A pair of rows. left < right unless the measure is ordered; with --against, left is one of the
// run's own rows and right a row of OTHER.
struct RowPair {
  RowId left;
  RowId right;
  Overlap overlap;
};

[[nodiscard]] inline std::uint64_t sort_key(const RowPair& pair) noexcept {
  return std::uint64_t{pair.left} << 32 | pair.right;
}

// True if a is more similar than b, compared exactly as fractions; ties are broken by input order.
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

// The limits and the order of the pairs that are listed.
struct RowPairChoice {
  PairSelection wanted;
  PairOrder order = PairOrder::input;
  const Measure& measure;
  const BoundFacts& facts;
  PairMemory memory;
};
using TakeRowPairs = std::function<void(std::span<const RowPair>)>;

// Passes the pairs that --top, --top-pairs and --limit select to `each`: left rows in input order,
// the pairs of each left row in the requested order. `find` passes all pairs to its argument,
// sorted by (left, right). Throws Error{limit_exceeded}.
void choose_row_pairs(const RowPairChoice& choice,
                      const std::function<void(const TakeRowPairs& take)>& find,
                      const EachPairs& each);

// Collects, in memory or scratch, the pairs of rows that pairs of items stand for; they can then be
// read in input order. Rows with identical texts are pairs with each other, and each of them is a
// pair with every row to which their item is similar. For an ordered measure, (left, right) and
// (right, left) are two pairs, each of which must reach the threshold. Each left row is stored with
// a group of identical right rows, of which only as many are kept as --top and --top-pairs can
// list.
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

  // `items` defines which rows are identical and must outlive this object; if null, pairs are added
  // as pairs of rows.
  RowPairCollector(const Items* items, Task task);

  // Called from several threads, once per pair. The functions throw as `check` and
  // SortedPairs::add() do.
  void add(std::span<const VerifiedPair> pairs);  // pairs of items
  // Without items: pairs of single rows, left < right unless across.
  void add_rows(std::span<const RowPair> pairs);
  // Without items: adds all pairs of a row in one group of identical rows with a row in another,
  // each group in input order; with --against, `left` is from OTHER.
  void add_groups(std::span<const RowId> left, std::span<const RowId> right,
                  const Overlap& overlap);
  // Without items: adds all pairs within a group of identical rows, which must be in input order.
  void add_group(std::span<const RowId> rows);
  // Must be called after the last add.
  void finish();

  // Number of all pairs found, whether they are listed or not.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  // Calls each(pairs) with a few thousand pairs at a time, sorted by (left, right), until it
  // returns false.
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
  // The rows of each item, in input order; empty if every item is a single row.
  std::vector<RowId> rows_;
  std::vector<std::uint64_t> row_starts_;
  SortedPairs<RowPair> kept_;  // pairs of items; right: the first partner of left
  std::atomic<std::uint64_t> count_ = 0;
};

}  // namespace sosie
