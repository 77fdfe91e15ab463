#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "candidates/prefix_join.h"
#include "core/memory_budget.h"
#include "core/thread_pool.h"
#include "corpus/identical.h"
#include "data/run_summary.h"
#include "data/token_sets.h"
#include "io/record_file.h"

namespace sosie {

// Sets of places, stored in scratch by row.
struct SetsInScratch {
  const SpilledSets& sets;
  std::function<Place(RowId)> place_of;  // kNoPlace: represented by another row, or no set
  Place fixed = 0;                       // earlier places belong to --against
};

// The sets of all items in scratch, sorted by size, and exact joins of them in bounded memory. The
// sets are divided into ranges of sizes, and any two ranges that can contain pairs are joined
// separately. Unless sizes rule out pairs, the time grows with the square of the number of ranges.
class PartitionedJoin {
 public:
  // Copies the sets of all places. Throws Error{limit_exceeded} if not even two of them fit in the
  // memory.
  PartitionedJoin(const SetsInScratch& from, const Settings& settings, Scratch& scratch,
                  ThreadPool& pool);

  // Passes every pair in scope to `take`, in arbitrary order. scope.right_begin must be 0 or the
  // first item after --against. `progress` receives the number of finished sets.
  void join(PairScope scope, const TakePairs& take,
            const std::function<void(std::size_t done)>& progress, JoinCounts& counts);

  [[nodiscard]] std::size_t ranges() const noexcept { return ranges_.size(); }

 private:
  // Consecutive sets of a collection.
  struct Range {
    Place begin = 0;  // in places_
    Place end = 0;
    std::uint64_t first_element = 0;
    std::uint64_t elements = 0;
    std::uint32_t least = 0;  // size of its smallest set
    std::uint32_t most = 0;
    std::uint64_t bytes = 0;  // memory of its sets during a join
    bool of_others = false;   // the items of --against
  };

  void write_sets(const SetsInScratch& from, Scratch& scratch);
  void add_to_range(std::uint32_t size, bool of_others);
  void check_largest() const;
  [[nodiscard]] bool can_hold_pairs(const Range& a, const Range& b) const;
  void append(const Range& range, HashedSets& sets, std::vector<Place>& places) const;
  // Joins two ranges; if `b` is null, finds the pairs within `a`.
  void join_ranges(const Range& a, const Range* b, const TakePairs& take, JoinCounts& counts);

  const Settings& settings_;
  ThreadPool& pool_;
  std::uint64_t bytes_;  // memory for two ranges at a time
  RecordFile places_;    // places of all nonempty sets: --against first, each by size
  RecordFile sizes_;     // size of each of these sets
  RecordFile hashes_;    // in the same order
  std::vector<Range> ranges_;
};

// Maximum number of rows that stay in memory if a join is divided into parts.
[[nodiscard]] std::uint64_t most_rows_of_join(const Settings& settings) noexcept;

// The sets of all items, and the results of joining them exactly (`--method exact`): in memory if
// the sets and their index fit, otherwise in parts.
class ExactJoin {
 public:
  // Moves the sets out of the corpus; the scan must have kept them. Throws as PartitionedJoin()
  // does.
  ExactJoin(Corpus& corpus, const Items& items, const Settings& settings, Scratch& scratch,
            ThreadPool& pool);

  // Passes every pair in scope that reaches the threshold to `take`, once. If some of the sets
  // allow an estimate, `foretell` (if set) is called beforehand with the expected number of pairs.
  void pairs(PairScope scope, const TakePairs& take,
             const std::function<void(std::size_t done)>& progress,
             const std::function<void(std::uint64_t pairs)>& foretell);

  // The sets by place; null if they do not fit in memory.
  [[nodiscard]] const TokenSets* sets() const noexcept { return parts_ ? nullptr : &sets_; }

  // Number of ranges in which the sets are joined; 0 if they are in memory.
  [[nodiscard]] std::size_t ranges() const noexcept { return parts_ ? parts_->ranges() : 0; }

  // Frees the sets; no further join is possible.
  void forget_sets() noexcept;

  // Counts of all joins so far.
  [[nodiscard]] const JoinCounts& counts() const noexcept { return counts_; }

 private:
  const Settings& settings_;
  ThreadPool& pool_;
  TokenSets sets_;
  std::unique_ptr<PartitionedJoin> parts_;  // instead of sets_
  JoinCounts counts_;
};

// Total number of elements in the sets that the scan kept.
[[nodiscard]] std::uint64_t element_count(const Corpus& corpus);

// Moves the sets of the items out of the corpus and returns them by place.
[[nodiscard]] HashedSets gather_sets(Corpus& corpus, const Items& items, ThreadPool& pool);

}  // namespace sosie
