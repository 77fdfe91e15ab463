// Lays bit strings out in blocks, sets by their size.
#include "join/bits/bit_layout.h"

#include <algorithm>
#include <numeric>

#include "kernels/shared_bits.h"

namespace sosie {

BitLayout::BitLayout(const BitColumn& column, const RowRange& rows, bool by_ones)
    : column_(column), by_ones_(by_ones), rows_(rows.size()) {
  constexpr std::size_t kBlock = kernels::kSketchBlock;
  std::iota(rows_.begin(), rows_.end(), rows.begin);
  if (by_ones) {
    std::vector<std::uint32_t> ones(rows_.size());
    for (std::size_t i = 0; i < ones.size(); ++i) {
      ones[i] =
          static_cast<std::uint32_t>(kernels::count_ones(column.row(rows.begin + i), column.words));
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](RowId a, RowId b) { return ones[a - rows.begin] < ones[b - rows.begin]; });
    for (const RowId row : rows_) ones_.push_back(ones[row - rows.begin]);
  }
  blocks_.resize((rows_.size() + kBlock - 1) / kBlock * kBlock * column.words);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::uint64_t* out = blocks_.data() + i / kBlock * kBlock * column.words + i % kBlock;
    for (std::size_t w = 0; w < column.words; ++w) out[w * kBlock] = string(i)[w];
  }
}

std::uint64_t BitLayout::least_difference(std::uint64_t ones,
                                          const BitPositions& some) const noexcept {
  if (!by_ones_) return 0;
  const std::uint64_t least = ones_[some.begin];
  const std::uint64_t most = ones_[some.end - 1];
  return ones < least ? least - ones : ones - std::min(ones, most);
}

}  // namespace sosie
