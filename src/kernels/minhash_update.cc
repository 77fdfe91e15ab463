#include "kernels/minhash_update.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/minhash_update.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void values_of(const std::uint64_t* shingles, std::size_t count, std::uint64_t multiplier,
               std::uint32_t* values) {
  // A plain loop: compilers turn it into the target's 64-bit multiplications.
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<std::uint32_t>((shingles[i] * multiplier) >> 32);
  }
}

std::uint32_t least_affine(const std::uint32_t* values, std::size_t count, std::uint32_t a,
                           std::uint32_t b) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto va = hn::Set(d, a);
  const auto vb = hn::Set(d, b);
  auto least = hn::Set(d, kEmptyBin);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    least = hn::Min(least, hn::Add(hn::Mul(hn::LoadU(d, values + i), va), vb));
  }
  std::uint32_t result = hn::GetLane(hn::MinOfLanes(d, least));
  for (; i < count; ++i) result = std::min(result, a * values[i] + b);
  return result;
}

void fill_of(const std::uint32_t* values, std::size_t count, const std::uint32_t* a,
             const std::uint32_t* b, std::uint32_t* bins, std::size_t bin_count) {
  const auto low_bits = static_cast<std::uint32_t>(bin_count - 1);
  for (std::uint32_t j = 0; j < bin_count; ++j) {
    if (bins[j] != kEmptyBin) continue;
    const std::uint32_t least = least_affine(values, count, a[j], b[j]);
    bins[j] = (least & ~low_bits) | ((j ^ 1U) & low_bits);
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(values_of);
HWY_EXPORT(fill_of);

}  // namespace

void minhash_values(const std::uint64_t* shingles, std::size_t count, std::uint64_t multiplier,
                    std::uint32_t* values) noexcept {
  HWY_DYNAMIC_DISPATCH(values_of)(shingles, count, multiplier, values);
}

void minhash_bins(const std::uint32_t* values, std::size_t count, std::uint32_t* bins,
                  std::size_t bin_count) noexcept {
  const auto mask = static_cast<std::uint32_t>(bin_count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t value = values[i];
    std::uint32_t& bin = bins[value & mask];
    bin = std::min(bin, value);
  }
}

void minhash_fill(const std::uint32_t* values, std::size_t count, const std::uint32_t* a,
                  const std::uint32_t* b, std::uint32_t* bins, std::size_t bin_count) noexcept {
  HWY_DYNAMIC_DISPATCH(fill_of)(values, count, a, b, bins, bin_count);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
