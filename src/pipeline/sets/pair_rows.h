#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/memory_budget.h"
#include "io/external_sort.h"
#include "pipeline/rows/identical.h"
#include "pipeline/rows/spilled_copies.h"
#include "pipeline/sets/found_pairs.h"

namespace sosie {

// A pair of rows, left < right unless the measure is ordered; with --against left is the run's own
// and right a row of OTHER.
struct RowPair {
  RowId left;
  RowId right;
  Overlap overlap;
};

// Pairs of rows in any number: collected in scratch, then read in input order.
class SpilledPairs {
 public:
  // `across`: of two collections, the left row first.
  SpilledPairs(bool across, Scratch& scratch, const MemoryBudget& budget);
  // Throw what ExternalSort::add() does. A pair, and those that copies of its rows are.
  void add_with_copies(const RowPair& pair, const SpilledCopies& copies);
  // The pairs that a row and its copies are with each other.
  void add_copies_of(RowId row, const SpilledCopies& copies);
  // Behind the last add().
  void finish();
  [[nodiscard]] const RecordFile& in_order() const noexcept { return in_order_; }

 private:
  struct Keyed {
    std::uint64_t key;  // left, then right
    Overlap overlap;
  };

  void add(RowId left, RowId right, const Overlap& overlap);

  bool across_;
  ExternalSort<Keyed> sorted_;
  RecordFile in_order_;  // RowPairs
};

// The pairs of rows that pairs of items stand for: rows with identical texts are pairs with each
// other, and each of them with all that their item is similar to. `across`: only rows of different
// collections are pairs; `pairs` must be of different collections then. Of an ordered measure
// (left, right) and (right, left) are two pairs, each of which must reach the threshold.
class PairRows {
 public:
  PairRows(const Corpus& corpus, const Items& items, const Settings& settings, bool across,
           FoundPairs pairs);
  // Pairs that stand for themselves.
  explicit PairRows(std::unique_ptr<SpilledPairs> spilled);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  // Calls each(pairs of one left row, by right row) for every left row that has any, in input
  // order. Stops when `each` returns false.
  void for_each_left(const std::function<bool(std::span<const RowPair>)>& each) const;

 private:
  void for_each_spilled_left(const std::function<bool(std::span<const RowPair>)>& each) const;
  [[nodiscard]] bool is_pair(const Overlap& overlap) const noexcept;
  void count_pairs();
  void list_by_item();
  void append_listed(RowId left, Place place, std::vector<RowPair>& out) const;
  void append(RowId left, Place place, const Overlap& overlap, std::vector<RowPair>& out) const;

  const Corpus* corpus_ = nullptr;
  const Items* items_ = nullptr;
  const Settings* settings_ = nullptr;
  bool across_ = false;  // pairs of two collections
  FoundPairs pairs_;
  // Unless these are in scratch: pairs of item p are those by_item_[starts_[p] .. starts_[p + 1]).
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint64_t> by_item_;
  std::uint64_t count_ = 0;
  std::unique_ptr<SpilledPairs> spilled_;  // in place of all these
};

}  // namespace sosie
