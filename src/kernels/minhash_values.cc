// Updates minhash signatures: scatters hashes into bins, and fills empty bins.
#include "kernels/minhash_values.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/minhash_values.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/kept_of_eight.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void values_of(const std::uint64_t* shingles, std::size_t count, std::uint64_t multiplier,
               std::uint32_t* values) {
  // A plain loop, which compilers translate to the target's 64-bit multiplications.
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
// 15 further values after them. Has no data-dependent branches.
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

// Once every bin has seen some values, few further values are below even the largest bin. A
// comparison drops all others before they are scattered; the more values there are, the fewer
// remain.
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

// Empty bins and their permutations, padded for reads of whole vectors.
struct EmptyBins {
  static constexpr std::size_t kMost = 128;
  static constexpr std::size_t kBehind = 2 * 16;

  std::size_t count = 0;
  std::uint32_t bin[kMost];
  std::uint32_t a[kMost + kBehind] = {};
  std::uint32_t b[kMost + kBehind] = {};
  std::uint32_t least[kMost + kBehind];
};

// Finds the lowest values for two vectors of bins, starting with bin number `first`. Each lane is a
// bin, so values are read one by one, and lanes are never compared with each other.
void least_of_two(const std::uint32_t* values, std::size_t count, std::size_t first,
                  EmptyBins& empty) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t second = first + hn::Lanes(d);
  const auto a0 = hn::LoadU(d, empty.a + first);
  const auto b0 = hn::LoadU(d, empty.b + first);
  const auto a1 = hn::LoadU(d, empty.a + second);
  const auto b1 = hn::LoadU(d, empty.b + second);
  auto least0 = hn::Set(d, kEmptyBin);
  auto least1 = least0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = hn::Set(d, values[i]);
    least0 = hn::Min(least0, hn::Add(hn::Mul(value, a0), b0));
    least1 = hn::Min(least1, hn::Add(hn::Mul(value, a1), b1));
  }
  hn::StoreU(least0, d, empty.least + first);
  hn::StoreU(least1, d, empty.least + second);
}

void fill_empty(const std::uint32_t* values, std::size_t count, EmptyBins& empty,
                std::uint32_t* bins, std::uint32_t low_bits) {
  const std::size_t at_once = 2 * hn::Lanes(hn::CappedTag<std::uint32_t, 16>());
  // If there are fewer bins than half of the lanes, processing them one by one, with a value in
  // each lane, is faster.
  std::size_t by_lanes = empty.count / at_once * at_once;
  if (empty.count - by_lanes > at_once / 2 || count < at_once) by_lanes = empty.count;
  for (std::size_t i = 0; i < by_lanes; i += at_once) least_of_two(values, count, i, empty);
  for (std::size_t i = by_lanes; i < empty.count; ++i) {
    empty.least[i] = least_affine(values, count, empty.a[i], empty.b[i]);
  }
  for (std::size_t i = 0; i < empty.count; ++i) {
    const std::uint32_t j = empty.bin[i];
    bins[j] = (empty.least[i] & ~low_bits) | ((j ^ 1U) & low_bits);
  }
  empty.count = 0;
}

void fill_of(const std::uint32_t* values, std::size_t count, const std::uint32_t* a,
             const std::uint32_t* b, std::uint32_t* bins, std::size_t bin_count) {
  const auto low_bits = static_cast<std::uint32_t>(bin_count - 1);
  EmptyBins empty;
  for (std::uint32_t j = 0; j < bin_count; ++j) {
    if (empty.count == EmptyBins::kMost) fill_empty(values, count, empty, bins, low_bits);
    empty.bin[empty.count] = j;
    empty.a[empty.count] = a[j];
    empty.b[empty.count] = b[j];
    empty.count += bins[j] == kEmptyBin ? 1 : 0;
  }
  fill_empty(values, count, empty, bins, low_bits);
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
