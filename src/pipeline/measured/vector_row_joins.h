#pragma once

#include <optional>
#include <span>

#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "io/scratch.h"
#include "pipeline/measured/ranked_star.h"
#include "pipeline/measured/vector_settings.h"

namespace sosie {

// Exact joins of some rows of one column, or of two behind each other: rows of the second are
// numbered on from those of the first.
class VectorRowJoins {
 public:
  // `behind` may be null. `filter` false: every pair is measured. All of them outlive this.
  VectorRowJoins(const VectorColumn& column, const VectorColumn* behind,
                 const VectorSettings& settings, bool filter, ThreadPool& pool, Scratch& scratch);

  // Pairs of positions, in blocks sorted by (left, right). Rows of one span are of one column. Both
  // return how many pairs were measured.
  [[nodiscard]] std::uint64_t between(std::span<const RowId> lefts, std::span<const RowId> rights,
                                      const EachPairs& each) const;
  [[nodiscard]] std::uint64_t within(std::span<const RowId> rows, const EachPairs& each) const;

  // As VectorLsh::join().
  [[nodiscard]] std::uint64_t by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const;

  // The value of a pair of rows that reaches the bound; nothing of others.
  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const;
  // The value of any pair.
  [[nodiscard]] double value(RowId left, RowId right) const;

 private:
  [[nodiscard]] VectorSums sums(RowId left, RowId right) const;
  [[nodiscard]] VectorColumn take(std::span<const RowId> rows) const;
  [[nodiscard]] std::uint64_t join(const VectorColumn& left, const VectorColumn* right,
                                   const EachPairs& each) const;

  const VectorColumn& column_;
  const VectorColumn* behind_;
  const VectorSettings& settings_;
  bool filter_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

}  // namespace sosie
