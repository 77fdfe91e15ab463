// Sets of scanned rows in scratch, appended in order and read by block.
#include "corpus/spill/spilled_sets.h"

namespace sosie {

SpilledSets::SpilledSets(Scratch& scratch) : hashes_(scratch, sizeof(std::uint64_t), kSmallPage) {}

void SpilledSets::add(std::span<ScannedBlock> blocks) {
  for (ScannedBlock& block : blocks) {
    begins_.push_back(hashes_.size());
    hashes_.append(block.sets.hashes.data(), block.sets.hashes.size());
    std::vector<std::uint64_t>().swap(block.sets.hashes);
  }
}

void SpilledSets::finish() { hashes_.finish(); }

void SpilledSets::read(std::size_t number, const ScannedBlock& block, std::size_t i,
                       std::vector<std::uint64_t>& out) const {
  const std::uint64_t begin = block.sets.starts[i];
  const std::size_t size = block.sets.starts[i + 1] - begin;
  out.resize(out.size() + size);
  hashes_.read(begins_[number] + begin, size, out.data() + out.size() - size);
}

}  // namespace sosie
