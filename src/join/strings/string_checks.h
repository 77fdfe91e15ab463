#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "candidates/ordered_strings.h"
#include "core/thread_pool.h"
#include "join/scored_pairs.h"
#include "verify/edit_pattern.h"

namespace sosie {

// Measures the candidates of a worker and reports the rows of those that are pairs. Equal strings
// are reported as in CopiedPairs: each left row with the first of its right rows.
class StringChecks {
 public:
  using Each = std::function<void(std::vector<ScoredPair>& pairs)>;

  // `strings` and `pool` must outlive this object.
  StringChecks(const OrderedStrings& strings, const EditBound& bound, const ThreadPool& pool,
               Each each);

  // Checks an item against later items. `below`: only if the shorter string has fewer symbols than
  // this. Pairs that would already share a result of fewer deletions (a level above `level`) are
  // left out.
  void check_deletions(std::uint32_t item, std::span<const std::uint32_t> others,
                       std::uint32_t below, std::uint32_t level);
  void check(std::uint32_t item, std::span<const std::uint32_t> others);
  // Reports the rows of an item as pairs with each other.
  void add_copies(std::uint32_t item);
  void finish();

  [[nodiscard]] std::uint64_t measured() const noexcept { return pairs_measured_; }

 private:
  [[nodiscard]] std::uint32_t near_distance(EditMeasure measure, std::uint32_t item,
                                            std::uint32_t other, std::uint32_t most) const;
  [[nodiscard]] std::uint32_t distance(std::uint32_t item, std::uint32_t other);
  void add(std::uint32_t item, std::uint32_t other, std::uint32_t distance);
  // Reports the rows in `lefts`, each with the first of `rights` that is a partner.
  void add_lefts(std::span<const RowId> lefts, std::span<const RowId> rights, double value);
  void add_pair(RowId left, RowId right, double value);

  const OrderedStrings& strings_;
  EditBound bound_;
  Each each_;
  EditPattern pattern_;
  std::uint32_t pattern_item_ = kNoRow;  // item of pattern_
  std::uint32_t most_ = 0;               // maximum edits of the current pair
  std::vector<ScoredPair> found_;
  std::uint64_t pairs_measured_ = 0;
};

}  // namespace sosie
