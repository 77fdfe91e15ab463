#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "data/banded_rows.h"
#include "data/hash_family.h"
#include "data/vector_column.h"
#include "plan/lsh_plan.h"

namespace sosie {

// How vectors are hashed; sketches of the family cross-polytope are of hyperplanes. Memory while it
// lasts: six bytes (hyperplanes) or eight (segments) a component of plan.functions() vectors.
struct VectorHashing {
  const HashFamily* family = nullptr;  // one by angle, Euclidean or Manhattan distance
  LshPlan plan;
  std::uint64_t seed = 1;
};

// Keys and sketches of vectors.
struct VectorBands {
  BandedRows table;
  std::vector<std::uint64_t> sketches;  // what the table points to
};

// Of the rows of `left`, then those of `right` (null: none). Both have one dimension. Throws
// Error{cancelled}.
[[nodiscard]] VectorBands hash_vectors(const VectorColumn& left, const VectorColumn* right,
                                       const VectorHashing& hashing, ThreadPool& pool);

// What rounding adds to the angle between two vectors on its way to the hyperplanes, at most.
[[nodiscard]] double rounding_degrees(std::size_t dimension);

}  // namespace sosie
