#pragma once

#include <vector>

#include "core/row_bits.h"
#include "corpus/corpus.h"
#include "sosie/join.h"

namespace sosie {

// Prepares for rereading many rows in arbitrary order: compressed files are decompressed once more,
// in one pass over each file, and the blocks that contain the rows are kept (io/packed_file.h).
// Costs nothing if no input is compressed.
class RowsAtHand {
 public:
  explicit RowsAtHand(const Inputs& inputs);

  // False if no input is compressed; then no rows need to be added.
  [[nodiscard]] bool is_needed() const noexcept { return !blocks_.empty(); }
  void add(const RowLocator& row);
  // Reports its progress as the stage "unpacking".
  void keep(ThreadPool& pool, const RunHooks& hooks);

 private:
  const Inputs& inputs_;
  std::vector<RowBits> blocks_;  // by file; empty if it is not compressed
};

}  // namespace sosie
