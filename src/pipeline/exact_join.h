#pragma once

#include <functional>
#include <vector>

#include "data/join_counts.h"
#include "data/token_sets.h"
#include "pipeline/identical.h"

namespace sosie {

// The sets of all items, and what an exact join finds among them (`--method exact`).
class ExactJoin {
 public:
  // Moves the sets out of the corpus' blocks; the scan must have kept them. Throws
  // Error{limit_exceeded} when they and their index need more than the memory budget.
  ExactJoin(Corpus& corpus, const Items& items, const Settings& settings, ThreadPool& pool);

  // Every pair in scope that reaches the threshold, sorted by (left, right). Throws
  // Error{limit_exceeded} when they would be too many for the memory budget.
  [[nodiscard]] std::vector<VerifiedPair> pairs(
      PairScope scope, const std::function<void(std::size_t done)>& progress);

  // Of all joins so far.
  [[nodiscard]] const JoinCounts& counts() const noexcept { return counts_; }

 private:
  const Settings& settings_;
  ThreadPool& pool_;
  TokenSets sets_;
  JoinCounts counts_;
};

}  // namespace sosie
