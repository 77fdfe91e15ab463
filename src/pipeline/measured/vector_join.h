#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "io/scratch.h"
#include "pipeline/measured/measured_pairs.h"
#include "pipeline/options/settings.h"
#include "verify/vector_measures.h"

namespace sosie {

struct VectorJoinTask {
  const VectorColumn* left = nullptr;
  const VectorColumn* right = nullptr;  // null: pairs within left
  const VectorMeasure* measure = nullptr;
  Rational bound;
  bool filter = true;                                   // false: every pair is measured
  bool only_count = false;                              // pairs are counted and not kept
  Scratch* scratch = nullptr;                           // else where pairs go that are too many
  std::uint64_t sort_bytes = std::uint64_t{256} << 20;  // memory for found pairs
  double pairs_a_row = 0;                               // found on average, as far as is known
  std::uint64_t least_pairs = 0;                        // there are no fewer, all rows together
};

struct VectorJoinCounts {
  std::uint64_t candidates = 0;  // pairs that were measured
  std::uint64_t found = 0;
};

// Finds every pair that reaches the bound and hands them over in blocks, sorted by (left, right),
// as they are found. Memory: one byte a component beside the columns (three where that tells too
// little), and task.sort_bytes. Throws Error{cancelled}.
VectorJoinCounts join_vectors(const VectorJoinTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const MeasuredPair>)>& each);

// Estimates from a sample how many pairs a row is found in, and sets task.pairs_a_row,
// task.least_pairs, and task.sort_bytes, so that the pairs kept at a time fit the memory. Few rows
// need no estimate.
void bound_memory(VectorJoinTask& task, const Settings& settings, ThreadPool& pool);

}  // namespace sosie
