#pragma once

#include <optional>
#include <span>

#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "io/scratch.h"
#include "join/exact_room.h"
#include "join/measured_pairs.h"
#include "options/vector_settings.h"

namespace sosie {

// The rows of one collection, or of two behind each other: those of the second are numbered on from
// those of the first.
struct JoinedRows {
  VectorSubset own;
  std::optional<VectorSubset> behind;
};

// Exact joins of some of the rows.
class VectorRowJoins {
 public:
  struct How {
    bool filter = true;  // false: every pair is measured
    ExactRoom room;
  };

  // All of them outlive this.
  VectorRowJoins(const JoinedRows& rows, const VectorSettings& settings, const How& how,
                 ThreadPool& pool, Scratch& scratch);

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
  [[nodiscard]] std::uint64_t join(std::span<const RowId> lefts,
                                   std::optional<std::span<const RowId>> rights,
                                   const EachPairs& each) const;

  JoinedRows rows_;
  const VectorSettings& settings_;
  How how_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

}  // namespace sosie
