// Operations on vectors of 16-bit components, for kernels that multiply them. Such kernels include
// this file once for each target, after highway.h, so it has no include guard around all of its
// contents (as in Highway's own -inl.h files).
#include <cstddef>
#include <cstdint>

#if defined(SOSIE_KERNELS_ADD_PRODUCTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SOSIE_KERNELS_ADD_PRODUCTS_INL
#undef SOSIE_KERNELS_ADD_PRODUCTS_INL
#else
#define SOSIE_KERNELS_ADD_PRODUCTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using Sums = hn::CappedTag<std::int32_t, 16>;
using Halves = hn::Repartition<std::int16_t, Sums>;
using SumVector = hn::Vec<Sums>;
using HalfVector = hn::Vec<Halves>;

// Adds to each sum the products of the two components at its position.
HWY_INLINE SumVector add_products(SumVector sum, HalfVector a, HalfVector b) {
#if HWY_TARGET == HWY_AVX3_DL
  // This target is chosen if the CPU has AVX512_VNNI, but code for it is compiled without that
  // extension (Highway 1.0.3).
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
#elif HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  SumVector unused = hn::Zero(Sums());  // one instruction adds adjacent products
  return hn::ReorderWidenMulAccumulate(Sums(), a, b, sum, unused);
#else
  const auto x = hn::BitCast(Sums(), a);
  const auto y = hn::BitCast(Sums(), b);
  const auto first =
      hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(x)), hn::ShiftRight<16>(hn::ShiftLeft<16>(y)));
  return hn::Add(hn::Add(sum, first), hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(y)));
#endif
}

// Returns a mask of the sums that reach left_limit plus their own right limits.
HWY_INLINE std::uint32_t lanes_reaching(SumVector sums, std::int32_t left_limit,
                                        const std::int32_t* right_limits) {
  const Sums d;
  const auto limits = hn::Add(hn::Set(d, left_limit), hn::LoadU(d, right_limits));
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, hn::Not(hn::Lt(sums, limits)), bytes);
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8;
}

#endif

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
