// Updates minhash signatures: scatters hashes into bins, and fills empty bins.
#include "kernels/minhash_update.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/minhash_update.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/compress.h"

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

void scatter(const std::uint32_t* values, std::size_t count, std::uint32_t* bins,
             std::uint32_t mask) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t& bin = bins[values[i] & mask];
    bin = HWY_MIN(bin, values[i]);
  }
}

std::uint32_t greatest(const std::uint32_t* bins, std::size_t bin_count) {
  const hn::CappedTag<std::uint32_t, 16> d;
  auto most = hn::LoadU(d, bins);
  for (std::size_t i = hn::Lanes(d); i < bin_count; i += hn::Lanes(d)) {
    most = hn::Max(most, hn::LoadU(d, bins + i));
  }
  return hn::GetLane(hn::MaxOfLanes(d, most));
}

// Writes the values below `limit`, out of `count`, without gaps and returns their number; may write
// 15 values behind them. Without branches on the data.
std::size_t keep_below(std::uint32_t limit, const std::uint32_t* values, std::size_t count,
                       std::uint32_t* kept) {
  std::size_t written = 0;
  std::size_t i = 0;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  const hn::FixedTag<std::uint32_t, 16> d;
  const auto most = hn::Set(d, limit);
  for (; i + 16 <= count; i += 16) {
    const auto v = hn::LoadU(d, values + i);
    const auto below = hn::Lt(v, most);
    hn::StoreU(hn::Compress(v, below), d, kept + written);
    written += hn::CountTrue(d, below);
  }
#elif HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const hn::FixedTag<std::uint32_t, 4> d;
  const auto most = hn::Set(d, limit);
  for (; i + 4 <= count; i += 4) {
    const auto v = hn::LoadU(d, values + i);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Lt(v, most), bits);
    const auto from = hn::Load(hn::FixedTag<std::uint8_t, 16>(), kKeptOfFour.from[bits[0]].data());
    hn::StoreU(hn::TableLookupBytes(v, hn::BitCast(d, from)), d, kept + written);
    written += hwy::PopCount(bits[0]);
  }
#endif
  for (; i < count; ++i) {
    kept[written] = values[i];
    written += values[i] < limit ? 1 : 0;
  }
  return written;
}

// Once every bin has seen some values, few of the others are below even the greatest bin: a
// comparison drops the rest before they are scattered. The more values, the fewer are left.
void bins_of(const std::uint32_t* values, std::size_t count, std::uint32_t* bins,
             std::size_t bin_count) {
  constexpr std::size_t kPiece = 1024;
  const auto mask = static_cast<std::uint32_t>(bin_count - 1);
  std::size_t i = HWY_MIN(count, 8 * bin_count);
  scatter(values, i, bins, mask);
  std::uint32_t kept[kPiece + 16];
  for (; i < count; i += kPiece) {
    const std::size_t piece = HWY_MIN(kPiece, count - i);
    scatter(kept, keep_below(greatest(bins, bin_count), values + i, piece, kept), bins, mask);
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
HWY_EXPORT(bins_of);
HWY_EXPORT(fill_of);

}  // namespace

void minhash_values(const std::uint64_t* shingles, std::size_t count, std::uint64_t multiplier,
                    std::uint32_t* values) noexcept {
  HWY_DYNAMIC_DISPATCH(values_of)(shingles, count, multiplier, values);
}

void minhash_bins(const std::uint32_t* values, std::size_t count, std::uint32_t* bins,
                  std::size_t bin_count) noexcept {
  HWY_DYNAMIC_DISPATCH(bins_of)(values, count, bins, bin_count);
}

void minhash_fill(const std::uint32_t* values, std::size_t count, const std::uint32_t* a,
                  const std::uint32_t* b, std::uint32_t* bins, std::size_t bin_count) noexcept {
  HWY_DYNAMIC_DISPATCH(fill_of)(values, count, a, b, bins, bin_count);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
