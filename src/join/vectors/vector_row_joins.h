#pragma once

#include <optional>
#include <span>

#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"
#include "join/vectors/exact_memory_share.h"
#include "options/vector_settings.h"

namespace sosie {

// Exact joins of some of the rows.
class VectorRowJoins {
 public:
  struct How {
    bool filter = true;  // false: every pair is measured
    ExactMemoryShare memory_share;
  };

  // `rows`: all of a column. All of them outlive this.
  VectorRowJoins(const VectorSubset& rows, const VectorSettings& settings, const How& how,
                 ThreadPool& pool, Scratch& scratch);

  // Joins like VectorLsh::join(), but sorted by (left, right).
  [[nodiscard]] std::uint64_t by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const;

  // The value of a pair of rows that reaches the bound; nothing of others.
  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const;
  // The value of any pair.
  [[nodiscard]] double value(RowId left, RowId right) const;

 private:
  [[nodiscard]] VectorSums sums(RowId left, RowId right) const;

  VectorSubset rows_;
  const VectorSettings& settings_;
  How how_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

}  // namespace sosie
