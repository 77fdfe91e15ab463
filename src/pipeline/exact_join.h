#pragma once

#include <cstdint>
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
  // Error{limit_exceeded} when they and their index need more than `memory_bytes`.
  ExactJoin(Corpus& corpus, const Items& items, const Settings& settings,
            std::uint64_t memory_bytes, ThreadPool& pool);

  // Every pair in scope that reaches the threshold, sorted by (left, right). Throws
  // Error{limit_exceeded} when they would be too many for the memory.
  [[nodiscard]] std::vector<VerifiedPair> pairs(
      PairScope scope, const std::function<void(std::size_t done)>& progress);

  // Of all joins so far.
  [[nodiscard]] const JoinCounts& counts() const noexcept { return counts_; }

 private:
  const Settings& settings_;
  std::uint64_t memory_bytes_;
  ThreadPool& pool_;
  TokenSets sets_;
  JoinCounts counts_;
};

}  // namespace sosie
