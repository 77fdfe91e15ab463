// Counts the common elements of two ascending lists, a vector of each list at a time.
#include "kernels/intersection_size.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/set_intersection.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using Elements = hn::CappedTag<std::uint64_t, 8>;

// Number of elements in a block of one list that occur in a block of the other.
HWY_INLINE std::size_t shared_in_block(const std::uint64_t* a, const std::uint64_t* b) {
  const Elements d;
  const auto block = hn::LoadU(d, a);
  auto same = hn::Eq(block, hn::Set(d, b[0]));
  for (std::size_t k = 1; k < hn::Lanes(d); ++k) {
    same = hn::Or(same, hn::Eq(block, hn::Set(d, b[k])));
  }
  return hn::CountTrue(d, same);
}

#endif

std::size_t shared_of(const std::uint64_t* a, std::size_t a_count, const std::uint64_t* b,
                      std::size_t b_count) {
  std::size_t shared = 0;
  std::size_t i = 0;
  std::size_t j = 0;
#if HWY_TARGET != HWY_SCALAR
  const std::size_t lanes = hn::Lanes(Elements());
  if (lanes >= 4) {  // two at a time gain nothing
    while (i + lanes <= a_count && j + lanes <= b_count) {
      shared += shared_in_block(a + i, b + j);
      const std::uint64_t x = a[i + lanes - 1];
      const std::uint64_t y = b[j + lanes - 1];
      i += x <= y ? lanes : 0;
      j += y <= x ? lanes : 0;
    }
  }
#endif
  while (i < a_count && j < b_count) {  // without branches on the data: mispredictions cost more
    const std::uint64_t x = a[i];
    const std::uint64_t y = b[j];
    shared += x == y ? 1U : 0U;
    i += x <= y ? 1U : 0U;
    j += y <= x ? 1U : 0U;
  }
  return shared;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(shared_of);

}  // namespace

std::size_t intersection_size(const std::uint64_t* a, std::size_t a_count, const std::uint64_t* b,
                              std::size_t b_count) noexcept {
  return HWY_DYNAMIC_DISPATCH(shared_of)(a, a_count, b, b_count);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
