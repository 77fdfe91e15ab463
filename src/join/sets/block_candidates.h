#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "join/sets/index_lookup.h"
#include "store/index/index_view.h"

namespace sosie {

// The candidates of a block of rows that are looked up together in an index. Their keys ascend
// within a band, so that each block of keys is read only once for all rows. For each row, the
// candidates are the same as IndexView::find() lists.
class BlockCandidates {
 public:
  // `index` must outlive this object. `memory_bytes`: memory of the run, a small share of which is
  // used.
  BlockCandidates(const IndexView& index, std::uint64_t memory_bytes);

  // Lists the candidates of the rows with these keys (for each row, either none or one per band).
  // Returns false if it is better to look the rows up one by one, because there are few rows or too
  // many candidates.
  [[nodiscard]] bool list(std::span<const std::span<const std::uint64_t>> rows, ThreadPool& pool,
                          std::span<IndexLookup::Finder> finders);
  // The candidates of a row; must be called after list().
  void copy(std::size_t row, std::vector<ItemPlace>& out) const;

 private:
  [[nodiscard]] bool list_band(std::size_t band,
                               std::span<const std::span<const std::uint64_t>> rows,
                               IndexBuffer& buffer, std::vector<RowPlace>& found) const;

  const IndexView& index_;
  std::size_t most_;  // maximum number of candidates in a band
  std::vector<std::vector<RowPlace>> by_band_;
  std::vector<std::size_t> ends_;  // by row
  std::vector<ItemPlace> places_;  // by row
};

}  // namespace sosie
