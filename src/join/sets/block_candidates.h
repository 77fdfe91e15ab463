#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "join/sets/index_lookup.h"
#include "store/index/index_view.h"

namespace sosie {

// Candidates of a block of rows that are looked up in an index together: their keys ascend within a
// band, so that each block of keys is read once for all rows. Each row has the candidates listed by
// IndexView::find().
class BlockCandidates {
 public:
  // `index` must outlive this object. `memory_bytes`: memory of the run, of which a small share is
  // used.
  BlockCandidates(const IndexView& index, std::uint64_t memory_bytes);

  // Lists the candidates of the rows with these keys, none or one per band. Returns false if there
  // are few rows or too many candidates, so that rows are better looked up one by one.
  [[nodiscard]] bool list(std::span<const std::span<const std::uint64_t>> rows, ThreadPool& pool,
                          std::span<IndexLookup::Finder> finders);
  // Candidates of a row; call it after list().
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
