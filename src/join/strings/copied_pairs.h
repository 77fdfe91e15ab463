#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "candidates/ordered_strings.h"
#include "join/scored_pairs.h"

namespace sosie {

// By row of a column: the next row of the same side with an equal string, or kNoRow. Empty when no
// side has two equal strings. O(rows) time, 4 bytes a row.
[[nodiscard]] std::vector<RowId> next_copies(const OrderedStrings& strings,
                                             std::size_t column_rows);

// Makes all pairs of found ones, each of which stands for its left row with its right row and with
// the copies behind that, so that found pairs are as many as rows and not as their products.
class CopiedPairs {
 public:
  using Each = std::function<void(const ScoredPair& pair)>;

  // `next`: from next_copies(), outlives this. `most`: pairs of one found pair that may be wanted.
  CopiedPairs(std::span<const RowId> next, std::uint64_t most, Each each)
      : next_(next), most_(most), each_(std::move(each)) {}

  // Found pairs come sorted by (left, right), each once; all pairs leave sorted. O(log copied
  // strings) time a pair.
  void add(const ScoredPair& found);
  // Behind the last add().
  void finish() { hand_over_before(kNoRow); }

  // Number of pairs that a found one stands for, as far as `enough`.
  [[nodiscard]] static std::uint64_t count(std::span<const RowId> next, const ScoredPair& found,
                                           std::uint64_t enough) noexcept;

 private:
  // The next pair of a found one, and how many of it may come.
  struct Waiting {
    RowId right;
    std::uint64_t most;
    double value;
  };

  void hand_over_before(RowId right);
  void hand_over(const Waiting& pair);

  std::span<const RowId> next_;
  std::uint64_t most_;
  Each each_;
  RowId left_ = kNoRow;
  std::vector<Waiting> waiting_;  // pairs of left_: a heap, the least right row in front
};

}  // namespace sosie
