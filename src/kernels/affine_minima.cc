// Minimum values of many permutations over hashes.
#include "kernels/affine_minima.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/affine_minima.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

constexpr std::uint64_t kMersenne61 = (std::uint64_t{1} << 61) - 1;

struct Unchanged {
  template <typename T>
  T operator()(T value) const noexcept {
    return value;
  }
};

struct LowOfMersenne61 {
  std::uint64_t operator()(std::uint64_t value) const noexcept {
    const std::uint64_t folded = (value & kMersenne61) + (value >> 61);
    return (folded >= kMersenne61 ? folded - kMersenne61 : folded) & 0xffffffffU;
  }
};

// A panel of permutations stays in registers while the hashes are read. These are plain loops,
// which compilers translate to the target's multiplications and minima.
template <std::size_t kPanel, typename Fold, typename T>
void panel_minima(const T* hashes, std::size_t count, const T* a, const T* b, T* minima) {
  T least[kPanel];
  for (std::size_t k = 0; k < kPanel; ++k) least[k] = minima[k];
  for (std::size_t i = 0; i < count; ++i) {
    const T hash = hashes[i];
    for (std::size_t k = 0; k < kPanel; ++k) {
      const T value = Fold()(static_cast<T>(a[k] * hash + b[k]));
      least[k] = value < least[k] ? value : least[k];
    }
  }
  for (std::size_t k = 0; k < kPanel; ++k) minima[k] = least[k];
}

template <std::size_t kPanel, typename Fold, typename T>
void all_minima(const T* hashes, std::size_t count, const T* a, const T* b, T* minima,
                std::size_t permutations) {
  std::size_t k = 0;
  for (; k + kPanel <= permutations; k += kPanel) {
    panel_minima<kPanel, Fold>(hashes, count, a + k, b + k, minima + k);
  }
  for (; k < permutations; ++k) panel_minima<1, Fold>(hashes, count, a + k, b + k, minima + k);
}

void affine32(const std::uint32_t* mixed, std::size_t count, const std::uint32_t* a,
              const std::uint32_t* b, std::uint32_t* minima, std::size_t permutations) {
  all_minima<64, Unchanged>(mixed, count, a, b, minima, permutations);
}

void affine64(const std::uint64_t* mixed, std::size_t count, const std::uint64_t* a,
              const std::uint64_t* b, std::uint64_t* minima, std::size_t permutations) {
  all_minima<32, Unchanged>(mixed, count, a, b, minima, permutations);
}

void legacy(const std::uint64_t* hashes, std::size_t count, const std::uint64_t* a,
            const std::uint64_t* b, std::uint64_t* minima, std::size_t permutations) {
  all_minima<32, LowOfMersenne61>(hashes, count, a, b, minima, permutations);
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(affine32);
HWY_EXPORT(affine64);
HWY_EXPORT(legacy);

}  // namespace

void affine_minima(const std::uint32_t* mixed, std::size_t count, const std::uint32_t* a,
                   const std::uint32_t* b, std::uint32_t* minima,
                   std::size_t permutations) noexcept {
  HWY_DYNAMIC_DISPATCH(affine32)(mixed, count, a, b, minima, permutations);
}

void affine_minima(const std::uint64_t* mixed, std::size_t count, const std::uint64_t* a,
                   const std::uint64_t* b, std::uint64_t* minima,
                   std::size_t permutations) noexcept {
  HWY_DYNAMIC_DISPATCH(affine64)(mixed, count, a, b, minima, permutations);
}

void legacy_minima(const std::uint64_t* hashes, std::size_t count, const std::uint64_t* a,
                   const std::uint64_t* b, std::uint64_t* minima,
                   std::size_t permutations) noexcept {
  HWY_DYNAMIC_DISPATCH(legacy)(hashes, count, a, b, minima, permutations);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
