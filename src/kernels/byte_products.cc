// Compares products of 8-bit panels with limits, using each target's dot-product instructions.
#include "kernels/byte_products.h"

#include <algorithm>
#include <cstring>

#include "kernels/amx_products.h"
#include "kernels/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/byte_products.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/add_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

void reaching(const ByteProducts& products, std::uint32_t* hits) {
  const std::size_t size = products.quads * 4;
  const std::size_t step = size / quad_steps(products.quads);
  for (std::size_t panel = 0; panel < products.right_count; ++panel) {
    const std::int8_t* right = products.right + panel * size * kPanelVectors;
    const std::int32_t* right_limits = products.right_limits + panel * kPanelVectors;
    std::fill_n(hits + panel * kPanelVectors, kPanelVectors, 0);
    for (std::size_t x = 0; x < products.left_count; ++x) {
      std::uint32_t bits = 0;
      for (std::size_t y = 0; y < kPanelVectors; ++y) {
        std::int32_t product = 0;
        for (std::size_t i = 0; i < size; ++i) {
          const std::int8_t* left = products.left + (i / step * kPanelVectors + x) * kStepBytes;
          product += left[i % step] * right[(i / 4 * kPanelVectors + y) * 4 + i % 4];
        }
        bits |= static_cast<std::uint32_t>(product >= products.left_limits[x] + right_limits[y])
                << y;
      }
      hits[panel * kPanelVectors + x] = bits;
    }
  }
}

#else

using Bytes = hn::Repartition<std::int8_t, Sums>;

// The sums of a tile stay in registers: 16 of 32 with AVX-512, otherwise 8 of 16.
constexpr std::size_t kTileRows = hn::MaxLanes(Sums()) == 16 ? 8 : 4;

// Four bytes of each right vector are prepared as kParts vectors (not a struct, because NEON does
// not allow its constructor); add_quads() adds their products with the bytes of left vectors.

#if HWY_TARGET == HWY_AVX3_DL

// One instruction adds four products but needs one side unsigned, so 128 is added to that side.
constexpr std::size_t kParts = 1;
constexpr std::int32_t kShift = 128;

HWY_INLINE void make_parts(SumVector quads, SumVector* parts) {
  parts[0] = hn::Xor(quads, hn::Set(Sums(), static_cast<std::int32_t>(0x80808080)));
}
HWY_INLINE SumVector add_quads(SumVector sum, SumVector x, const SumVector* y) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(y[0].raw), "v"(x.raw));
  return sum;
}

#elif HWY_TARGET == HWY_AVX2

// One instruction adds two products but needs one side unsigned, so its sign is moved to the other
// side. Bytes are at least -127, so two products fit in 16 bits.
constexpr std::size_t kParts = 2;
constexpr std::int32_t kShift = 0;

HWY_INLINE void make_parts(SumVector quads, SumVector* parts) {
  parts[0] = SumVector{_mm256_abs_epi8(quads.raw)};
  parts[1] = quads;
}
HWY_INLINE SumVector add_quads(SumVector sum, SumVector x, const SumVector* y) {
  const auto pairs = _mm256_maddubs_epi16(y[0].raw, _mm256_sign_epi8(x.raw, y[1].raw));
  return hn::Add(sum, SumVector{_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))});
}

#else

// Bytes at even and at odd positions, as 16-bit components.
constexpr std::size_t kParts = 2;
constexpr std::int32_t kShift = 0;

HWY_INLINE HalfVector even_bytes(SumVector quads) {
  return hn::ShiftRight<8>(hn::ShiftLeft<8>(hn::BitCast(Halves(), quads)));
}
HWY_INLINE HalfVector odd_bytes(SumVector quads) {
  return hn::ShiftRight<8>(hn::BitCast(Halves(), quads));
}
HWY_INLINE void make_parts(SumVector quads, SumVector* parts) {
  parts[0] = hn::BitCast(Sums(), even_bytes(quads));
  parts[1] = hn::BitCast(Sums(), odd_bytes(quads));
}
HWY_INLINE SumVector add_quads(SumVector sum, SumVector x, const SumVector* y) {
  sum = add_products(sum, even_bytes(x), hn::BitCast(Halves(), y[0]));
  return add_products(sum, odd_bytes(x), hn::BitCast(Halves(), y[1]));
}

#endif

HWY_INLINE SumVector load(const std::int8_t* in) {
  return hn::BitCast(Sums(), hn::LoadU(Bytes(), in));
}

// The amount that the offset of the other side adds to every product of a left vector.
HWY_INLINE std::int32_t excess_of(const ByteProducts& products, std::size_t x) {
  const std::size_t steps = quad_steps(products.quads);
  const std::size_t step = products.quads / steps * 4;
  std::int32_t sum = 0;
  for (std::size_t s = 0; s < steps; ++s) {
    const std::int8_t* left = products.left + (s * kPanelVectors + x) * kStepBytes;
    for (std::size_t i = 0; i < step; ++i) sum += left[i];
  }
  return kShift * sum;
}

// Computes the products of left vectors row .. row + kRows with the lanes of kVectors vectors of a
// right panel, starting at `column`.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void tile(const ByteProducts& products, const std::int8_t* right, std::size_t row,
                     std::size_t column, const std::int32_t* limits,
                     const std::int32_t* right_limits, std::uint32_t* hits) {
  const Sums d;
  const std::size_t lanes = hn::Lanes(d);
  SumVector sums[kRows][kVectors];
  for (auto& of_row : sums) {
    for (SumVector& sum : of_row) sum = hn::Zero(d);
  }
  const std::size_t step = products.quads / quad_steps(products.quads);
  const std::int8_t* x = products.left + row * kStepBytes;
  const std::int8_t* y = right + column * 4;
  for (std::size_t begin = 0; begin < products.quads; begin += step) {
    for (std::size_t q = 0; q < step; ++q) {
      SumVector parts[kVectors][kParts];
      HWY_UNROLL(8)
      for (std::size_t v = 0; v < kVectors; ++v) make_parts(load(y + v * 4 * lanes), parts[v]);
      HWY_UNROLL(8)
      for (std::size_t r = 0; r < kRows; ++r) {
        std::int32_t quad = 0;
        std::memcpy(&quad, x + r * kStepBytes + q * 4, sizeof quad);
        const auto all = hn::Set(d, quad);
        HWY_UNROLL(8)
        for (std::size_t v = 0; v < kVectors; ++v) {
          sums[r][v] = add_quads(sums[r][v], all, parts[v]);
        }
      }
      y += 4 * kPanelVectors;
    }
    x += kPanelVectors * kStepBytes;
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = column + v * lanes;
      hits[row + r] |= lanes_reaching(sums[r][v], limits[row + r], right_limits + at) << at;
    }
  }
}

// Processes kRows left vectors and the lanes of kVectors vectors of right vectors at a time.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void all_tiles(const ByteProducts& products, const std::int32_t* limits,
                          std::uint32_t* hits) {
  const std::size_t size = products.quads * 4;
  const std::size_t width = kVectors * hn::Lanes(Sums());
  for (std::size_t panel = 0; panel < products.right_count; ++panel) {
    std::memset(hits, 0, kPanelVectors * sizeof *hits);
    for (std::size_t row = 0; row < products.left_count; row += kRows) {
      for (std::size_t column = 0; column < kPanelVectors; column += width) {
        tile<kRows, kVectors>(products, products.right + panel * size * kPanelVectors, row, column,
                              limits, products.right_limits + panel * kPanelVectors, hits);
      }
    }
    hits += kPanelVectors;
  }
}

void reaching(const ByteProducts& products, std::uint32_t* hits) {
  std::int32_t limits[kPanelVectors] = {};
  const std::size_t rows = (products.left_count + kTileRows - 1) / kTileRows * kTileRows;
  for (std::size_t x = 0; x < rows; ++x) {
    limits[x] = products.left_limits[x] + excess_of(products, x);
  }
  if (products.left_count == 1) {
    all_tiles<1, kPanelVectors / hn::MaxLanes(Sums())>(products, limits, hits);
  } else {
    all_tiles<kTileRows, 2>(products, limits, hits);
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

// The matrix unit multiplies whole panels; a single vector would use only 1/32 of its capacity.
void byte_products_reaching(const ByteProducts& products, std::uint32_t* hits) noexcept {
  if (uses_amx() && products.left_count > 1) {
    amx_products_reaching(products, hits);
  } else {
    HWY_DYNAMIC_DISPATCH(reaching)(products, hits);
  }
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
