#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"
#include "options/bounds.h"
#include "verify/bit_measures.h"

namespace sosie {

struct BitJoinTask {
  const BitColumn* column = nullptr;
  JoinSides sides;
  const BitMeasure* measure = nullptr;
  Rational bound;
  bool brute = false;       // every pair is measured
  std::uint64_t limit = 0;  // pairs that may be found; 0: any number
  BoundFacts facts = {};    // for the error when there are more
  Scratch* scratch = nullptr;
  std::uint64_t memory_bytes = 0;             // that the run may take
  SortedPairs<ScoredPair>::Prune prune = {};  // prunes found pairs
};

struct BitJoinCounts {
  std::uint64_t candidates = 0;  // pairs that were measured, all of them by a scan
  bool indexed = false;          // by a multi_index()
};

using EachBitPairs = std::function<void(std::span<const ScoredPair>)>;

// Predicted costs of join_bits() by a scan of all pairs, and by an index (infinity: there is none),
// in nanoseconds of one core: it takes the less.
struct JoinCosts {
  double scan;
  double index;
};
[[nodiscard]] JoinCosts costs_of_joins(const BitJoinTask& task);

// Hands over every pair that reaches the bound, in blocks, sorted by (left, right); rows of the
// column. By a multi_index() where that is predicted to cost
// less (of Hamming distances) and fits the memory, else by a scan of all. Throws Error{cancelled};
// Error{limit_exceeded} when more than task.limit pairs are found.
BitJoinCounts join_bits(const BitJoinTask& task, ThreadPool& pool, const EachBitPairs& each);

// The `most` nearest right rows of every left row (task.bound asks nothing), those
// of one row together, in no order. Throws Error{cancelled}.
BitJoinCounts nearest_bits(const BitJoinTask& task, std::uint64_t most, ThreadPool& pool,
                           const EachBitPairs& each);

}  // namespace sosie
