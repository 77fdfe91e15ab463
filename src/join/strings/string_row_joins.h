#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/thread_pool.h"
#include "data/columns.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"
#include "verify/edit_pattern.h"

namespace sosie {

// The rules by which the strings of a run are compared.
struct StringRowRules {
  EditBound bound = {};
  bool brute = false;  // every pair is measured
  std::uint64_t memory_bytes = 0;
};

// Exact joins of some rows of a column.
class StringRowJoins {
 public:
  // All arguments except the rules must outlive this object.
  StringRowJoins(const StringColumn& column, const StringRowRules& rules, ThreadPool& pool,
                 Scratch& scratch);

  // Reports the pairs of these rows by their positions, sorted by (left, right). `split` above 0:
  // only pairs of a row before it and a later row. Returns how many pairs were measured. Throws
  // Error{cancelled}.
  [[nodiscard]] std::uint64_t by_place(std::span<const RowId> rows, std::size_t split,
                                       const EachPairs& each) const;

  // The value of a pair of rows that reaches the bound; else nullopt. Throws Error{cancelled}.
  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const;
  // The value of any pair. O(length · length) time for pairs beyond the bound. Throws
  // Error{cancelled}.
  [[nodiscard]] double value(RowId left, RowId right) const;
  // Expected seconds of value() for a pair beyond the bound.
  [[nodiscard]] double value_seconds(RowId left, RowId right) const noexcept;

  // Share of the pairs of these rows that reach the bound, estimated from sampled pairs.
  [[nodiscard]] double sampled_share(const JoinSides& sides, std::uint64_t seed) const;
  // Number of pairs that reach the bound whatever their symbols are, because the strings are no
  // longer than the bound.
  [[nodiscard]] std::uint64_t least_pairs(const JoinSides& sides) const;

 private:
  const StringColumn& column_;
  StringRowRules rules_;
  ThreadPool& pool_;
  Scratch& scratch_;
};

}  // namespace sosie
