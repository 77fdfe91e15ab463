// Finds the few products that exceed a limit.
#include "kernels/products_above.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/products_above.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kSpareIndexes>;
using Indexes = hn::RebindToUnsigned<Floats>;

// Processes two vectors at a time, because most contain no product above the limit.
std::size_t above(const float* left, const float* right, std::size_t count, float least,
                  std::uint32_t* places) {
  const Floats d;
  const Indexes of_places;
  const std::size_t lanes = hn::Lanes(d);
  const auto limit = hn::Set(d, least);
  std::size_t found = 0;
  std::size_t at = 0;
  const auto product = [&](std::size_t from) {
    return hn::Mul(hn::LoadU(d, left + from), hn::LoadU(d, right + from));
  };
  const auto keep = [&](std::size_t from, hn::Vec<Floats> products) {
    const auto is_above = hn::RebindMask(of_places, hn::Gt(products, limit));
    const auto here = hn::Iota(of_places, static_cast<std::uint32_t>(from));
    hn::StoreU(hn::Compress(here, is_above), of_places, places + found);
    found += hn::CountTrue(of_places, is_above);
  };
  for (; at + 2 * lanes <= count; at += 2 * lanes) {
    const auto low = product(at);
    const auto high = product(at + lanes);
    if (hn::AllFalse(d, hn::Gt(hn::Max(low, high), limit))) continue;
    keep(at, low);
    keep(at + lanes, high);
  }
  for (; at < count; ++at) {
    places[found] = static_cast<std::uint32_t>(at);
    found += left[at] * right[at] > least ? 1 : 0;
  }
  return found;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(above);

}  // namespace

std::size_t products_above(const float* left, const float* right, std::size_t count, float least,
                           std::uint32_t* places) noexcept {
  return HWY_DYNAMIC_DISPATCH(above)(left, right, count, least, places);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
