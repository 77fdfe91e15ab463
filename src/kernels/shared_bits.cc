// Counts the bits that are 1 in one string, in both of two strings, or in either.
#include "kernels/shared_bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/shared_bits.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

SharedBits shared_bits_of(const std::uint64_t* left, const std::uint64_t* right,
                          std::size_t words) {
  SharedBits counts = {};
  for (std::size_t i = 0; i < words; ++i) {
    counts.shared += hwy::PopCount(left[i] & right[i]);
    counts.united += hwy::PopCount(left[i] | right[i]);
  }
  return counts;
}

std::uint64_t ones_of(const std::uint64_t* string, std::size_t words) {
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < words; ++i) ones += hwy::PopCount(string[i]);
  return ones;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(shared_bits_of);
HWY_EXPORT(ones_of);

}  // namespace

SharedBits shared_bits(const std::uint64_t* left, const std::uint64_t* right,
                       std::size_t words) noexcept {
  return HWY_DYNAMIC_DISPATCH(shared_bits_of)(left, right, words);
}

std::uint64_t count_ones(const std::uint64_t* string, std::size_t words) noexcept {
  return HWY_DYNAMIC_DISPATCH(ones_of)(string, words);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
