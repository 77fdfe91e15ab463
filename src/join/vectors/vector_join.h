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
  std::optional<VectorSubset> right;  // empty: pairs within left
  const VectorMeasure* measure = nullptr;
  Bound bound;
  bool filter = true;                         // false: every pair is measured
  bool only_count = false;                    // pairs are counted but not kept
  Scratch* scratch = nullptr;                 // destination of pairs beyond the memory
  ExactMemoryShare memory_share;              // memory
  double pairs_a_row = 0;                     // average number found, as far as known
  std::uint64_t least_pairs = 0;              // minimum number for all rows together
  SortedPairs<ScoredPair>::Prune prune = {};  // prunes found pairs
};

struct VectorJoinCounts {
  std::uint64_t candidates = 0;  // pairs that were measured
  std::uint64_t found = 0;
};

// Finds every pair of places that reaches the bound and reports the pairs in blocks, sorted by
// (left, right), as they are found. Besides the vectors, needs memory for pairs and one byte per
// right component (two if one is not selective enough). If the memory share is smaller, right rows
// are processed in chunks that fit. The share does not affect which pairs are found or measured.
// Throws Error{cancelled}.
VectorJoinCounts join_vectors(const VectorJoinTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const ScoredPair>)>& each);

// Estimates the number of pairs per row from a sample that depends on the seed, and sets
// task.pairs_a_row and task.least_pairs so that the pairs held at any time fit in the memory. If
// there are few rows, no estimate is needed.
void estimate_pairs(VectorJoinTask& task, std::uint64_t seed, ThreadPool& pool);

}  // namespace sosie
