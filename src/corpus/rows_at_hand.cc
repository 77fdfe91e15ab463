// Caches rows of compressed inputs that a stage is about to read again.
#include "corpus/rows_at_hand.h"

#include <algorithm>

#include "corpus/byte_progress.h"
#include "io/packed_file.h"

namespace sosie {

RowsAtHand::RowsAtHand(const Inputs& inputs) : inputs_(inputs) {
  const auto is_packed = [](const File& file) { return file.packed() != nullptr; };
  if (std::none_of(inputs.files.begin(), inputs.files.end(), is_packed)) return;
  blocks_.resize(inputs.files.size());
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (is_packed(inputs.files[i]))
      blocks_[i] = RowBits(inputs.files[i].size() / inputs.files[i].packed()->block_bytes() + 1);
  }
}

void RowsAtHand::add(const RowLocator& row) {
  const PackedFile* packed = inputs_.files[row.file].packed();
  if (packed == nullptr || row.length == 0) return;
  const std::uint64_t bytes = packed->block_bytes();
  const std::uint64_t last = (row.offset + row.length - 1) / bytes;
  for (std::uint64_t block = row.offset / bytes; block <= last; ++block) {
    blocks_[row.file].set(block);
  }
}

void RowsAtHand::keep(ThreadPool& pool, const RunHooks& hooks) {
  std::vector<std::size_t> packed;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (inputs_.files[i].packed() == nullptr) continue;
    packed.push_back(i);
    total += inputs_.files[i].size();
  }
  ByteProgress progress(hooks, "unpacking", total);
  pool.for_each(packed.size(), [&](unsigned, std::size_t i) {
    const std::size_t file = packed[i];
    inputs_.files[file].packed()->keep(blocks_[file],
                                       [&](std::uint64_t bytes) { progress.add(bytes); });
  });
}

}  // namespace sosie
