#pragma once

#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/buckets.h"
#include "pipeline/corpus.h"

namespace sosie {

// The documents that take part in matching: one of each group with the same normalised text, in
// rank order. A place is a position in `rows`.
struct Items {
  std::vector<RowId> rows;  // by place: the best-ranked row of its group
  std::vector<Place>
      place_of;               // by row: the place of its group; kNoPlace for rows that take no part
  std::vector<RowId> copies;  // rows with the same text as rows[p]: copies[copy_starts[p] ..
  std::vector<std::uint64_t> copy_starts;  // copy_starts[p + 1]), in rank order, rows[p] left out

  [[nodiscard]] Place size() const noexcept { return static_cast<Place>(rows.size()); }
  [[nodiscard]] std::span<const RowId> copies_of(Place p) const noexcept {
    return {copies.data() + copy_starts[p], copies.data() + copy_starts[p + 1]};
  }
};

// Collapses identical texts: equal 128-bit hashes of the normalised text, then the texts themselves
// are compared.
[[nodiscard]] Items collapse_identical(const Inputs& inputs, const Corpus& corpus,
                                       const Settings& settings, std::vector<RowId> ranked,
                                       ThreadPool& pool);

// Throws Error{malformed_input} naming both places when two rows have the same id.
void check_unique_ids(const Inputs& inputs, const Corpus& corpus);

}  // namespace sosie
