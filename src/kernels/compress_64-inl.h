// Operations on 64 bytes at a time that several kernels share. Kernels include this file once for
// each target, after highway.h, so it has no include guard around all of its contents (as in
// Highway's own -inl.h files).
#include "kernels/kept_of_eight.h"

#if defined(SOSIE_KERNELS_COMPRESS_64_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SOSIE_KERNELS_COMPRESS_64_INL
#undef SOSIE_KERNELS_COMPRESS_64_INL
#else
#define SOSIE_KERNELS_COMPRESS_64_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

// Selects the bytes from `first` to `first + count - 1`.
template <class D, class V>
HWY_INLINE auto in_range(D d, V v, std::uint8_t first, std::uint8_t count) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V from_first = hn::Sub(v, hn::Set(d, first));
  return hn::Eq(hn::Min(from_first, hn::Set(d, static_cast<std::uint8_t>(count - 1))), from_first);
}

// A mask of byte lanes as one bit per lane.
template <class D, class M>
HWY_INLINE std::uint64_t bits_of(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits = 0;
  hwy::CopyBytes<8>(bytes, &bits);
  return bits;
}

// Compresses 64 bytes at `in` (aligned; 8 more must be readable): keeps the bytes whose bits are
// set and closes the gaps.
HWY_INLINE void compress_64(std::uint64_t kept, const std::uint8_t* in, std::uint8_t* out) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
  const hn::FixedTag<std::uint8_t, 64> d;
  std::uint8_t bits[8];
  hwy::CopyBytes<8>(&kept, bits);
  (void)hn::CompressStore(hn::Load(d, in), hn::LoadMaskBits(d, bits), d, out);
#else
  const hn::FixedTag<std::uint8_t, 8> d;
  for (std::size_t i = 0; i < 64; i += 8, kept >>= 8) {
    const auto from = hn::Load(d, kKeptOfEight.from[kept & 0xFF].data());
    hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, in + i), from), d, out);
    out += hwy::PopCount(kept & 0xFF);
  }
#endif
}

#endif

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
