#include "pipeline/measured/sorted_pairs.h"

namespace sosie {
namespace {

constexpr std::size_t kBlockPairs = 4096;

}  // namespace

std::uint64_t SortedPairs::add(std::span<const MeasuredPair> pairs) {
  const std::lock_guard lock(mutex_);
  for (const MeasuredPair& pair : pairs) {
    pairs_.add({std::uint64_t{pair.left} << 32 | pair.right, pair.value});
  }
  return pairs_.size();
}

void SortedPairs::drain(const std::function<void(std::span<const MeasuredPair>)>& each) {
  std::vector<MeasuredPair> block;
  pairs_.drain([&](const Keyed& pair) {
    const auto left = static_cast<std::uint32_t>(pair.key >> 32);
    if (block.size() >= kBlockPairs && block.back().left != left) {
      each(block);
      block.clear();
    }
    block.push_back({left, static_cast<std::uint32_t>(pair.key), pair.value});
  });
  if (!block.empty()) each(block);
}

}  // namespace sosie
