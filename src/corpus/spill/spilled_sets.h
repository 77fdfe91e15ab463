#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/corpus.h"
#include "io/record_file.h"

namespace sosie {

// The sets of scanned rows in scratch: what an exact join needs of them when they outgrow the
// memory. How long each is stays in the blocks. 8 bytes an element in scratch.
class SpilledSets {
 public:
  // Throws what RecordFile::append() does.
  explicit SpilledSets(Scratch& scratch);

  // Takes the elements out of the blocks, which come in input order.
  void add(std::span<ScannedBlock> blocks);
  // Behind the last add().
  void finish();

  // Appends the set of row `i` of block `number`.
  void read(std::size_t number, const ScannedBlock& block, std::size_t i,
            std::vector<std::uint64_t>& out) const;

 private:
  RecordFile hashes_;
  std::vector<std::uint64_t> begins_;  // by block: of its elements
};

}  // namespace sosie
