#pragma once

#include <optional>
#include <span>

#include "core/thread_pool.h"
#include "data/bit_column.h"
#include "io/scratch.h"
#include "join/measured_pairs.h"
#include "options/bit_settings.h"

namespace sosie {

// Exact joins of some rows of a column.
class BitRowJoins {
 public:
  // `brute`: every pair is measured. All of them outlive this.
  BitRowJoins(const BitColumn& column, const BitSettings& settings, bool brute, ThreadPool& pool,
              Scratch& scratch);

  // Pairs of positions, sorted by (left, right). Both return how many pairs were measured.
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
  [[nodiscard]] std::uint64_t join(const BitColumn& column, std::size_t split,
                                   const EachPairs& each) const;

  const BitColumn& column_;
  const BitSettings& settings_;
  bool brute_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

}  // namespace sosie
