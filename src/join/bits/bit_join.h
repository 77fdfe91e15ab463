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
  std::uint64_t limit = 0;  // maximum number of pairs; 0: no limit
  BoundFacts facts = {};    // for the error above the limit
  Scratch* scratch = nullptr;
  std::uint64_t memory_bytes = 0;             // memory of the run
  SortedPairs<ScoredPair>::Prune prune = {};  // prunes found pairs
};

struct BitJoinCounts {
  std::uint64_t candidates = 0;  // pairs that were measured; all of them in a scan
  bool indexed = false;          // by a multi_index()
};

using EachBitPairs = std::function<void(std::span<const ScoredPair>)>;

// Predicted costs of join_bits(), in nanoseconds on one core, if it scans all pairs and if it uses
// an index (infinity if there is none); join_bits() chooses the cheaper way.
struct JoinCosts {
  double scan;
  double index;
};
[[nodiscard]] JoinCosts costs_of_joins(const BitJoinTask& task);

// Reports every pair that reaches the bound, in blocks, sorted by (left, right), as rows of the
// column. Uses a multi_index() if this fits in the memory and is predicted to be cheaper (for
// Hamming distances), otherwise a scan of all pairs. Throws Error{cancelled}, and
// Error{limit_exceeded} if more than task.limit pairs are found.
BitJoinCounts join_bits(const BitJoinTask& task, ThreadPool& pool, const EachBitPairs& each);

// Reports the `most` nearest right rows of every left row, ignoring task.bound; pairs are grouped
// by left row, and their order within a group is arbitrary. Throws Error{cancelled}.
BitJoinCounts nearest_bits(const BitJoinTask& task, std::uint64_t most, ThreadPool& pool,
                           const EachBitPairs& each);

}  // namespace sosie
