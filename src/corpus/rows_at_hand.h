#pragma once

#include <vector>

#include "core/row_bits.h"
#include "corpus/corpus.h"
#include "sosie/join.h"

namespace sosie {

// Rows that a stage is about to reread in any order: compressed files are decompressed once more
// for them, in one pass over each file, and the blocks that contain them are kept
// (io/packed_file.h). Costs nothing if no input is compressed.
class RowsAtHand {
 public:
  explicit RowsAtHand(const Inputs& inputs);

  // False if no input is compressed: then there is nothing to add.
  [[nodiscard]] bool is_needed() const noexcept { return !blocks_.empty(); }
  void add(const RowLocator& row);
  // Reports its progress as the stage "unpacking".
  void keep(ThreadPool& pool, const RunHooks& hooks);

 private:
  const Inputs& inputs_;
  std::vector<RowBits> blocks_;  // by file; empty if it is not compressed
};

}  // namespace sosie
