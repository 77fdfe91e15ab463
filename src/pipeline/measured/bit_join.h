#pragma once

#include <cstdint>
#include <vector>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/bit_column.h"
#include "pipeline/measured/measured_pairs.h"
#include "verify/bit_measures.h"

namespace sosie {

struct BitJoinTask {
  const BitColumn* column = nullptr;
  std::size_t split = 0;  // above 0: pairs between the rows before it and those from it on
  const BitMeasure* measure = nullptr;
  Rational bound;
  bool brute = false;  // every pair is measured
};

struct BitJoinResult {
  std::vector<MeasuredPair> pairs;  // rows of the column, left < right, sorted by (left, right)
  std::uint64_t candidates = 0;     // pairs that were measured, all of them by a scan
  bool indexed = false;             // by a multi_index()
};

// What join_bits() is predicted to cost, in nanoseconds of one core.
[[nodiscard]] double cost_of_join(const BitJoinTask& task);

// Every pair that reaches the bound: by a multi_index() where that is predicted to cost less (of
// Hamming distances), else by a scan of all. Throws Error{cancelled}; Error{limit_exceeded} when
// more than `limit` pairs are found (0: none).
[[nodiscard]] BitJoinResult join_bits(const BitJoinTask& task, std::uint64_t limit,
                                      ThreadPool& pool);

// The `most` nearest rows from `task.split` on of every row before it (task.bound asks nothing),
// those of one row together, in no order. Throws Error{cancelled}.
[[nodiscard]] BitJoinResult nearest_bits(const BitJoinTask& task, std::uint64_t most,
                                         ThreadPool& pool);

}  // namespace sosie
