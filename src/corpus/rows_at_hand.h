#pragma once

#include <vector>

#include "core/row_bits.h"
#include "corpus/corpus.h"
#include "sosie/join.h"

namespace sosie {

// Rows that a stage is about to read again, in any order: packed files are unpacked once more for
// them, in one pass over each file, and the blocks that hold them are kept (io/packed_file.h).
// Costs nothing where no input is packed.
class RowsAtHand {
 public:
  explicit RowsAtHand(const Inputs& inputs);

  // False if no input is packed: then there is nothing to add.
  [[nodiscard]] bool is_needed() const noexcept { return !blocks_.empty(); }
  void add(const RowLocator& row);
  // Reports its progress as the stage "unpacking".
  void keep(ThreadPool& pool, const RunHooks& hooks);

 private:
  const Inputs& inputs_;
  std::vector<RowBits> blocks_;  // by file; empty where none is packed
};

}  // namespace sosie
