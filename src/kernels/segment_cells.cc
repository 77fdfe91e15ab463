// Projects vectors onto lines and numbers the segments in which they fall.
#include "kernels/segment_cells.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/segment_cells.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;

// Negative zero and NaN become zero.
HWY_INLINE hn::Vec<Doubles> cell_of(hn::Vec<Doubles> sum) {
  const auto cell = hn::Add(hn::Floor(sum), hn::Zero(Doubles()));
  return hn::IfThenElseZero(hn::Eq(cell, cell), cell);
}

HWY_INLINE void some_lines(const double* const* vectors, std::size_t dimension, const double* lines,
                           const double* offsets, std::size_t stride, double* cells) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Doubles> low[kCellVectors];
  hn::Vec<Doubles> high[kCellVectors];
  for (std::size_t v = 0; v < kCellVectors; ++v) low[v] = high[v] = hn::Zero(d);
  for (std::size_t k = 0; k < dimension; ++k) {
    const auto line_low = hn::LoadU(d, lines);
    const auto line_high = hn::LoadU(d, lines + lanes);
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kCellVectors; ++v) {
      const auto x = hn::Set(d, vectors[v][k]);
      low[v] = hn::Add(low[v], hn::Mul(x, line_low));
      high[v] = hn::Add(high[v], hn::Mul(x, line_high));
    }
    lines += kLineBlock;
  }
  for (std::size_t v = 0; v < kCellVectors; ++v) {
    hn::StoreU(cell_of(hn::Add(low[v], hn::LoadU(d, offsets))), d, cells + v * stride);
    hn::StoreU(cell_of(hn::Add(high[v], hn::LoadU(d, offsets + lanes))), d,
               cells + v * stride + lanes);
  }
}

void cells_of(const double* const* vectors, std::size_t dimension, const double* lines,
              const double* offsets, std::size_t blocks, double* cells) {
  const std::size_t stride = blocks * kLineBlock;
  for (std::size_t block = 0; block < blocks; ++block) {
    const double* of_block = lines + block * dimension * kLineBlock;
    for (std::size_t line = 0; line < kLineBlock; line += 2 * hn::Lanes(Doubles())) {
      const std::size_t at = block * kLineBlock + line;
      some_lines(vectors, dimension, of_block + line, offsets + at, stride, cells + at);
    }
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(cells_of);

}  // namespace

void segment_cells(const double* const* vectors, std::size_t dimension, const double* lines,
                   const double* offsets, std::size_t blocks, double* cells) noexcept {
  HWY_DYNAMIC_DISPATCH(cells_of)(vectors, dimension, lines, offsets, blocks, cells);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
