#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"
#include "join/vectors/side_panels.h"
#include "verify/vector_measures.h"

namespace sosie {

struct VectorJoinTask {
  VectorSubset left;
  std::optional<VectorSubset> right;  // none: pairs within left
  const VectorMeasure* measure = nullptr;
  Bound bound;
  bool filter = true;                         // false: every pair is measured
  bool only_count = false;                    // pairs are counted and not kept
  Scratch* scratch = nullptr;                 // else where pairs go that are too many
  ExactMemoryShare memory_share;              // memory
  double pairs_a_row = 0;                     // found on average, as far as is known
  std::uint64_t least_pairs = 0;              // there are no fewer, all rows together
  SortedPairs<ScoredPair>::Prune prune = {};  // prunes found pairs
};

struct VectorJoinCounts {
  std::uint64_t candidates = 0;  // pairs that were measured
  std::uint64_t found = 0;
};

// Finds every pair of places that reaches the bound and hands them over in blocks, sorted by (left,
// right), as they are found. Memory beside the vectors: one byte a component on the right (two
// where that tells too little) or, where task.room has less, of as many right rows at a time as
// there is room for; and for pairs. Neither decides what is found or measured. Throws
// Error{cancelled}.
VectorJoinCounts join_vectors(const VectorJoinTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const ScoredPair>)>& each);

// Estimates from a sample, drawn with the seed, how many pairs a row is found in, and sets
// task.pairs_a_row and task.least_pairs, so that the pairs kept at a time fit the memory. Few rows
// need no estimate.
void estimate_pairs(VectorJoinTask& task, std::uint64_t seed, ThreadPool& pool);

}  // namespace sosie
