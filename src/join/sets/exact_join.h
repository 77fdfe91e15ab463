#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "corpus/identical.h"
#include "data/join_counts.h"
#include "data/token_sets.h"
#include "join/sets/partitioned_join.h"

namespace sosie {

// The most rows of a join in parts: what is known of each stays in memory.
[[nodiscard]] std::uint64_t most_rows_of_join(const Settings& settings) noexcept;

// Throws Error{limit_exceeded} when a join in parts has more rows than that.
void check_rows_of_join(const Corpus& corpus, const Settings& settings);

// The sets of all items, and what an exact join finds among them (`--method exact`): in memory as
// long as they and their index fit, else in parts.
class ExactJoin {
 public:
  // Moves the sets out of the corpus; the scan must have kept them. Throws what PartitionedJoin()
  // does.
  ExactJoin(Corpus& corpus, const Items& items, const Settings& settings, Scratch& scratch,
            ThreadPool& pool);

  // Hands every pair in scope that reaches the threshold to `take`, once. `foretell`, if given, is
  // told beforehand how many there will be, if some of the sets tell.
  void pairs(PairScope scope, const TakePairs& take,
             const std::function<void(std::size_t done)>& progress,
             const std::function<void(std::uint64_t pairs)>& foretell);

  // The sets by place; null where they do not fit in memory.
  [[nodiscard]] const TokenSets* sets() const noexcept { return parts_ ? nullptr : &sets_; }

  // Leaves the sets: there will be no other join.
  void forget_sets() noexcept;

  // Counts of all joins so far.
  [[nodiscard]] const JoinCounts& counts() const noexcept { return counts_; }

 private:
  const Settings& settings_;
  ThreadPool& pool_;
  TokenSets sets_;
  std::unique_ptr<PartitionedJoin> parts_;  // in place of sets_
  JoinCounts counts_;
};

}  // namespace sosie
