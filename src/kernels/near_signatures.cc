// Finds signatures that differ in few bits, using vectors.
#include "kernels/near_signatures.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/near_signatures.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

std::size_t near_of(std::uint64_t signature, const std::uint64_t* others, std::size_t count,
                    std::uint32_t most, std::uint32_t* near) {
  std::size_t found = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<std::uint64_t, 8> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto own = hn::Set(d, signature);
  const auto limit = hn::Set(di, static_cast<std::int64_t>(most) + 1);
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto different = hn::PopulationCount(hn::Xor(own, hn::LoadU(d, others + i)));
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(di, hn::Lt(hn::BitCast(di, different), limit), mask);
    for (unsigned bits = mask[0]; bits != 0; bits &= bits - 1) {
      near[found++] = static_cast<std::uint32_t>(i + hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
    }
  }
#endif
  for (; i < count; ++i) {
    near[found] = static_cast<std::uint32_t>(i);
    found += hwy::PopCount(signature ^ others[i]) <= most ? 1U : 0U;
  }
  return found;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(near_of);

}  // namespace

std::size_t near_signatures(std::uint64_t signature, const std::uint64_t* others, std::size_t count,
                            std::uint32_t most, std::uint32_t* near) noexcept {
  return HWY_DYNAMIC_DISPATCH(near_of)(signature, others, count, most, near);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
