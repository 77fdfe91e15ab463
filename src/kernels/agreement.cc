// Counts equal bytes and differing bits between one row and many others.
#include "kernels/agreement.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/agreement.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

std::uint32_t equal_bytes(const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t equal = 0;
  std::size_t i = 0;
  for (; i + lanes <= bytes; i += lanes) {
    equal += hn::CountTrue(d, hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i)));
  }
  for (; i < bytes; ++i) equal += a[i] == b[i] ? 1U : 0U;
  return static_cast<std::uint32_t>(equal);
}

void agreements_of(const std::uint8_t* one, const std::uint8_t* rows, std::size_t bytes,
                   const std::uint32_t* which, std::size_t count, std::uint32_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = equal_bytes(one, rows + std::size_t{which[i]} * bytes, bytes);
  }
}

void hamming_of(const std::uint64_t* one, const std::uint64_t* rows, std::size_t words,
                const std::uint32_t* which, std::size_t count, std::uint32_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t* row = rows + std::size_t{which[i]} * words;
    std::size_t bits = 0;
    for (std::size_t word = 0; word < words; ++word) bits += hwy::PopCount(one[word] ^ row[word]);
    out[i] = static_cast<std::uint32_t>(bits);
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(agreements_of);
HWY_EXPORT(hamming_of);

}  // namespace

void agreements(const std::uint8_t* one, const std::uint8_t* rows, std::size_t bytes,
                const std::uint32_t* which, std::size_t count, std::uint32_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(agreements_of)(one, rows, bytes, which, count, out);
}

void hamming_distances(const std::uint64_t* one, const std::uint64_t* rows, std::size_t words,
                       const std::uint32_t* which, std::size_t count, std::uint32_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(hamming_of)(one, rows, words, which, count, out);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
