#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/thread_pool.h"
#include "data/columns.h"
#include "join/scored_pairs.h"
#include "join/vectors/side_panels.h"
#include "verify/vector_measures.h"

namespace sosie {

struct VectorSearchTask {
  VectorSubset left;     // rows to look up
  VectorSubset right;    // rows to look up in
  bool is_self = false;  // both are the same rows, and partners are later ones
  const VectorMeasure* measure = nullptr;
  std::uint64_t most = 1;         // number of right rows needed for each left row
  bool filter = true;             // false: every pair is measured
  ExactMemoryShare memory_share;  // memory
};

// Reports the nearest right rows of every left row, by the measure's value as a double (ties: input
// order). Left rows are in input order; the pairs of each left row are in arbitrary order. Returns
// how many pairs were measured. Memory: as for a join with `most` pairs for each of a few hundred
// left rows. Throws Error{cancelled}.
std::uint64_t nearest_vectors(const VectorSearchTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const ScoredPair>)>& each);

}  // namespace sosie
