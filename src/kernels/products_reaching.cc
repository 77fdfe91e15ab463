// Compares products of 16-bit panels with limits.
#include "kernels/products_reaching.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/products_reaching.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/add_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void reaching(const std::int16_t* left, const std::int16_t* right, std::size_t right_count,
              std::size_t pairs, const std::int32_t* left_limits, const std::int32_t* right_limits,
              std::uint32_t* hits) {
  for (std::size_t panel = 0; panel < right_count; ++panel) {
    for (std::size_t x = 0; x < kPanelVectors; ++x) {
      std::uint32_t bits = 0;
      for (std::size_t y = 0; y < kPanelVectors; ++y) {
        std::int32_t product = 0;
        for (std::size_t k = 0; k < pairs; ++k) {
          const std::int16_t* a = left + (k * kPanelVectors + x) * 2;
          const std::int16_t* b = right + (k * kPanelVectors + y) * 2;
          product += a[0] * b[0] + a[1] * b[1];
        }
        bits |= static_cast<std::uint32_t>(product >= left_limits[x] + right_limits[y]) << y;
      }
      hits[panel * kPanelVectors + x] = bits;
    }
    right += pairs * 2 * kPanelVectors;
    right_limits += kPanelVectors;
  }
}

#else

// The sums of a tile stay in registers: 16 of 32 with AVX-512, otherwise 8 of 16.
constexpr std::size_t kPanelTileRows = hn::MaxLanes(Sums()) == 16 ? 8 : 4;

// Computes the products of left vectors row .. row + kPanelTileRows with the lanes of two vectors
// on the right, starting at `column`.
HWY_INLINE void tile(const std::int16_t* left, const std::int16_t* right, std::size_t pairs,
                     std::size_t row, std::size_t column, const std::int32_t* left_limits,
                     const std::int32_t* right_limits, std::uint32_t* hits) {
  const Sums d;
  const Halves halves;
  const std::size_t lanes = hn::Lanes(d);
  SumVector low[kPanelTileRows];
  SumVector high[kPanelTileRows];
  for (std::size_t r = 0; r < kPanelTileRows; ++r) low[r] = high[r] = hn::Zero(d);
  const std::int16_t* x = left + row * 2;
  const std::int16_t* y = right + column * 2;
  for (std::size_t k = 0; k < pairs; ++k) {
    const auto y_low = hn::LoadU(halves, y);
    const auto y_high = hn::LoadU(halves, y + 2 * lanes);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < kPanelTileRows; ++r) {
      std::int32_t two = 0;
      std::memcpy(&two, x + r * 2, sizeof two);
      const auto both = hn::BitCast(halves, hn::Set(d, two));
      low[r] = add_products(low[r], both, y_low);
      high[r] = add_products(high[r], both, y_high);
    }
    x += 2 * kPanelVectors;
    y += 2 * kPanelVectors;
  }
  for (std::size_t r = 0; r < kPanelTileRows; ++r) {
    const std::int32_t limit = left_limits[row + r];
    hits[row + r] |= lanes_reaching(low[r], limit, right_limits + column) << column |
                     lanes_reaching(high[r], limit, right_limits + column + lanes)
                         << (column + lanes);
  }
}

void reaching(const std::int16_t* left, const std::int16_t* right, std::size_t right_count,
              std::size_t pairs, const std::int32_t* left_limits, const std::int32_t* right_limits,
              std::uint32_t* hits) {
  const std::size_t width = 2 * hn::Lanes(Sums());
  for (std::size_t panel = 0; panel < right_count; ++panel) {
    std::memset(hits, 0, kPanelVectors * sizeof *hits);
    for (std::size_t row = 0; row < kPanelVectors; row += kPanelTileRows) {
      for (std::size_t column = 0; column < kPanelVectors; column += width) {
        tile(left, right, pairs, row, column, left_limits, right_limits, hits);
      }
    }
    right += pairs * 2 * kPanelVectors;
    right_limits += kPanelVectors;
    hits += kPanelVectors;
  }
}

#endif

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(reaching);

}  // namespace

void products_reaching(const std::int16_t* left, const std::int16_t* right, std::size_t right_count,
                       std::size_t pairs, const std::int32_t* left_limits,
                       const std::int32_t* right_limits, std::uint32_t* hits) noexcept {
  HWY_DYNAMIC_DISPATCH(reaching)
  (left, right, right_count, pairs, left_limits, right_limits, hits);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
