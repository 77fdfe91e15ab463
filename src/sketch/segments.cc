// Lines of the families "gaussian-segments" and "cauchy-segments".
#include "sketch/segments.h"

#include <algorithm>
#include <array>

#include "core/mix64.h"
#include "kernels/segment_cells.h"
#include "sketch/standard_normal.h"

namespace sosie {

using kernels::kCellVectors;
using kernels::kLineBlock;

SegmentLines::SegmentLines(Component component, std::size_t count, std::size_t dimension,
                           const Cut& cut)
    : dimension_(dimension), offsets_((count + kLineBlock - 1) / kLineBlock * kLineBlock) {
  const std::uint64_t of_offsets = mix64(cut.seed);
  lines_.resize(offsets_.size() * dimension);
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    offsets_[i] = uniform_number(of_offsets, cut.first + i);
    double* line = lines_.data() + i / kLineBlock * dimension * kLineBlock + i % kLineBlock;
    for (std::size_t k = 0; k < dimension; ++k) {
      line[k * kLineBlock] = component(cut.seed, (cut.first + i) * dimension + k) / cut.length;
    }
  }
}

void SegmentLines::cells(std::span<const double* const> vectors, std::vector<double>& cells) const {
  std::array<const double*, kCellVectors> all{};
  for (std::size_t v = 0; v < kCellVectors; ++v) all[v] = vectors[std::min(v, vectors.size() - 1)];
  cells.resize(kCellVectors * count());
  kernels::segment_cells(all.data(), dimension_, lines_.data(), offsets_.data(),
                         count() / kLineBlock, cells.data());
}

}  // namespace sosie
