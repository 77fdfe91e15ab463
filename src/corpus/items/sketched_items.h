#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/ids.h"
#include "core/thread_pool.h"
#include "corpus/sketches.h"
#include "data/banded_rows.h"
#include "data/columns.h"

namespace sosie {

// Hash of an item; equal items have equal hashes even if the component types of their columns
// differ.
[[nodiscard]] Hash128 identity_of(const VectorColumn& column, std::size_t row);
[[nodiscard]] Hash128 identity_of(const BitColumn& column, std::size_t row);

// Hashes that sketches provide for items in memory: for the items of OTHER (which come first), for
// the run's own items, or for both. Wrong keys and sketches in files cannot create a wrong pair,
// because all pairs are measured, but they may hide pairs.
class SketchedItems {
 public:
  using Identity = std::function<Hash128(RowId item)>;

  // `first_own`: number of items in OTHER; `items`: total number. The data that `identity` uses
  // must outlive this object. Throws Error{malformed_input} if there are more or fewer sketches
  // than items, or if they are for items of a length other than `dimension`.
  SketchedItems(const Options& options, std::uint64_t dimension, RowId first_own, RowId items,
                Identity identity);

  // Fills in the keys or cells of known items for some bands of `table`, which must have its final
  // size, and all words of their sketches unless `sketches` is null. Returns the subset of `rows`
  // that still has to be hashed: rows without sketches, and a few rows that have more near cells in
  // the file than any item can have and would take too long to look up. The first call compares all
  // items with their identities and throws Error{malformed_input} for items that have changed.
  // Errors in files are reported as in Sketches.
  [[nodiscard]] std::vector<std::uint32_t> load(const BandRange& bands,
                                                std::span<const std::uint32_t> rows,
                                                BandedRows& table, std::uint64_t* sketches,
                                                ThreadPool& pool);

 private:
  // A block of sketches, and the position of its items.
  struct Block {
    const Sketches* sketches;
    std::size_t number;
    RowId first;
  };
  void add(const Sketches& sketches, std::uint64_t dimension, RowId first, RowId last);
  void check(const Block& block, const HashedItems& items) const;

  std::vector<Block> blocks_;
  Identity identity_;
  bool is_checked_ = false;
};

// Null if the run has no sketches.
[[nodiscard]] std::unique_ptr<SketchedItems> sketched_items(const Options& options,
                                                            std::uint64_t dimension,
                                                            RowId first_own, RowId items,
                                                            SketchedItems::Identity identity);

}  // namespace sosie
