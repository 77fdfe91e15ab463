// Fast random rotations: sign flips and Hadamard transforms, many vectors at a time.
#include "kernels/rotate_to_signs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rotate_to_signs.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kRotatedVectors>;
using BitWords = hn::RebindToUnsigned<Floats>;

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kHalfBits = 32;
constexpr std::size_t kNearComponents = kLeastRotationWidth;

// Computes sums and differences of components that are `half` apart, then of those twice as far
// apart.
template <class Load>
HWY_INLINE void two_stages(float* values, std::size_t half, const Load& load) {
  const Floats d;
  const std::size_t step = half * kRotatedVectors;
  const auto a = load(values);
  const auto b = load(values + step);
  const auto c = load(values + 2 * step);
  const auto e = load(values + 3 * step);
  const auto sum_low = hn::Add(a, b);
  const auto difference_low = hn::Sub(a, b);
  const auto sum_high = hn::Add(c, e);
  const auto difference_high = hn::Sub(c, e);
  hn::StoreU(hn::Add(sum_low, sum_high), d, values);
  hn::StoreU(hn::Add(difference_low, difference_high), d, values + step);
  hn::StoreU(hn::Sub(sum_low, sum_high), d, values + 2 * step);
  hn::StoreU(hn::Sub(difference_low, difference_high), d, values + 3 * step);
}

// Applies a stage to all components of kRotatedVectors vectors.
template <class Stage>
HWY_INLINE void for_each_group(float* values, std::size_t width, std::size_t half,
                               std::size_t components, const Stage& stage) {
  for (std::size_t begin = 0; begin < width; begin += components * half) {
    for (std::size_t k = begin; k < begin + half; ++k) {
      for (std::size_t v = 0; v < kRotatedVectors; v += hn::Lanes(Floats())) {
        stage(values + k * kRotatedVectors + v);
      }
    }
  }
}

// The first two stages, which also flip the signs of components.
void flip_and_begin(float* values, std::size_t width, const std::uint64_t* flips) {
  const Floats d;
  const BitWords words;
  for (std::size_t k = 0; k < width; k += 4) {
    const std::uint64_t bits = flips[k / kWordBits] >> (k % kWordBits);
    for (std::size_t v = 0; v < kRotatedVectors; v += hn::Lanes(d)) {
      float* first = values + k * kRotatedVectors + v;
      two_stages(first, 1, [&](const float* from) HWY_ATTR {
        const std::size_t which = static_cast<std::size_t>(from - first) / kRotatedVectors;
        const auto sign = static_cast<std::uint32_t>(bits >> which & 1) << (kHalfBits - 1);
        return hn::Xor(hn::LoadU(d, from), hn::BitCast(d, hn::Set(words, sign)));
      });
    }
  }
}

// The stages starting with `half`.
void later_stages(float* values, std::size_t width, std::size_t half) {
  const Floats d;
  for (; 4 * half <= width; half *= 4) {
    for_each_group(values, width, half, 4, [&](float* from) HWY_ATTR {
      two_stages(from, half, [&](const float* at) HWY_ATTR { return hn::LoadU(d, at); });
    });
  }
  if (half < width) {
    for_each_group(values, width, half, 2, [&](float* from) HWY_ATTR {
      const auto a = hn::LoadU(d, from);
      const auto b = hn::LoadU(d, from + half * kRotatedVectors);
      hn::StoreU(hn::Add(a, b), d, from);
      hn::StoreU(hn::Sub(a, b), d, from + half * kRotatedVectors);
    });
  }
}

// Half a word for each vector. Lanes are vectors, so bits need not be transposed.
HWY_INLINE void half_words(const float* values, std::uint32_t* halves) {
  const Floats d;
  const BitWords words;
  for (std::size_t v = 0; v < kRotatedVectors; v += hn::Lanes(d)) {
    auto bits = hn::Zero(words);
    for (std::size_t k = 0; k < kHalfBits; ++k) {
      const auto x = hn::LoadU(d, values + k * kRotatedVectors + v);
      const auto positive = hn::RebindMask(words, hn::Ge(x, hn::Zero(d)));
      bits = hn::Or(bits, hn::IfThenElseZero(positive, hn::Set(words, std::uint32_t{1} << k)));
    }
    hn::StoreU(bits, words, halves + v);
  }
}

// First transforms blocks that fit in the first-level cache.
void transform(float* values, std::size_t width, const std::uint64_t* flips) {
  for (std::size_t begin = 0; begin < width; begin += kNearComponents) {
    float* near = values + begin * kRotatedVectors;
    flip_and_begin(near, kNearComponents, flips + begin / kWordBits);
    later_stages(near, kNearComponents, 4);
  }
  later_stages(values, width, kNearComponents);
}

void rotate(float* values, std::size_t width, const std::uint64_t* flips, std::uint64_t* signs) {
  const std::size_t words = width / kWordBits;
  for (std::size_t turn = 0; turn < kRotationTurns; ++turn) {
    transform(values, width, flips + turn * words);
  }
  for (std::size_t word = 0; word < words; ++word) {
    std::uint32_t low[kRotatedVectors];
    std::uint32_t high[kRotatedVectors];
    const float* from = values + word * kWordBits * kRotatedVectors;
    half_words(from, low);
    half_words(from + kHalfBits * kRotatedVectors, high);
    for (std::size_t v = 0; v < kRotatedVectors; ++v) {
      signs[v * words + word] = std::uint64_t{high[v]} << kHalfBits | low[v];
    }
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(rotate);

}  // namespace

void rotate_to_signs(float* values, std::size_t width, const std::uint64_t* flips,
                     std::uint64_t* signs) noexcept {
  HWY_DYNAMIC_DISPATCH(rotate)(values, width, flips, signs);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
