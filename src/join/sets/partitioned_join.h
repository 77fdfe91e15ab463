#pragma once

#include <functional>
#include <vector>

#include "candidates/prefix_join.h"
#include "core/memory_budget.h"
#include "corpus/identical.h"
#include "data/token_sets.h"
#include "io/record_file.h"

namespace sosie {

// The sets of all items in scratch by ascending size, and exact joins of them in bounded memory:
// cut into ranges of sizes, every two ranges that can hold pairs are joined on their own. Time
// grows with the square of the number of ranges, as far as sizes do not keep them apart.
class PartitionedJoin {
 public:
  // Takes corpus.spilled_sets. Throws Error{limit_exceeded} when two of the sets, or what is known
  // of all rows, need more than the memory.
  PartitionedJoin(Corpus& corpus, const Items& items, const Settings& settings, Scratch& scratch,
                  ThreadPool& pool);

  // Hands every pair in scope to `take`, in any order. scope.right_begin is 0 or the first item
  // behind --against. `progress` is told of sets done.
  void join(PairScope scope, const TakePairs& take,
            const std::function<void(std::size_t done)>& progress, JoinCounts& counts);

 private:
  // Some sets of one collection, one behind the other.
  struct Range {
    Place begin = 0;  // in places_
    Place end = 0;
    std::uint64_t first_element = 0;
    std::uint64_t elements = 0;
    bool of_others = false;  // the items of --against
  };

  void order_sets(const Corpus& corpus, const Items& items);
  void write_sets(const Corpus& corpus, const Items& items);
  void cut_into_ranges(Place others);
  void check_largest() const;
  [[nodiscard]] bool can_hold_pairs(const Range& a, const Range& b) const;
  void append(const Range& range, HashedSets& sets) const;
  // The pairs of two ranges with each other; without `b`, those within `a`.
  void join_ranges(const Range& a, const Range* b, const TakePairs& take, JoinCounts& counts);

  const Settings& settings_;
  ThreadPool& pool_;
  std::uint64_t bytes_;               // for two ranges at a time
  std::vector<Place> places_;         // places of all non-empty sets: --against first, each
                                      // collection by size
  std::vector<std::uint32_t> sizes_;  // size of each of these sets
  RecordFile hashes_;                 // in this order
  std::vector<Range> ranges_;
};

}  // namespace sosie
