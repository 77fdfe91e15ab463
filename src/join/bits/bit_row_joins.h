#pragma once

#include <optional>
#include <span>

#include "core/thread_pool.h"
#include "data/bit_column.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"
#include "options/bit_settings.h"

namespace sosie {

// Exact joins of some rows of a column.
class BitRowJoins {
 public:
  // `brute`: every pair is measured. All of them outlive this.
  BitRowJoins(const BitColumn& column, const BitSettings& settings, bool brute, ThreadPool& pool,
              Scratch& scratch);

  // Joins like VectorLsh::join(), but sorted by (left, right).
  [[nodiscard]] std::uint64_t by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const;

  // The value of a pair of rows that reaches the bound; nothing of others.
  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const;
  // The value of any pair.
  [[nodiscard]] double value(RowId left, RowId right) const;

 private:
  const BitColumn& column_;
  const BitSettings& settings_;
  bool brute_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

}  // namespace sosie
