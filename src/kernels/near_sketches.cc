// Finds sketches within a Hamming distance, in blocks of interleaved words.
#include "kernels/near_sketches.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/near_sketches.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void near_sketches_of(const std::uint64_t* sketch, const std::uint64_t* blocks, std::size_t count,
                      std::size_t words, std::uint64_t limit, std::uint8_t* near) {
  for (std::size_t block = 0; block < count; ++block) {
    unsigned bits = 0;
    for (std::size_t s = 0; s < kSketchBlock; ++s) {
      std::uint64_t different = 0;
      for (std::size_t w = 0; w < words; ++w) {
        different += hwy::PopCount(sketch[w] ^ blocks[w * kSketchBlock + s]);
      }
      bits |= static_cast<unsigned>(different < limit) << s;
    }
    near[block] = static_cast<std::uint8_t>(bits);
    blocks += words * kSketchBlock;
  }
}

#else

using Words = hn::CappedTag<std::uint64_t, kSketchBlock>;
using Counts = hn::RebindToSigned<Words>;

void near_sketches_of(const std::uint64_t* sketch, const std::uint64_t* blocks, std::size_t count,
                      std::size_t words, std::uint64_t limit, std::uint8_t* near) {
  const Words d;
  const auto limits = hn::Set(Counts(), static_cast<std::int64_t>(limit));
  for (std::size_t block = 0; block < count; ++block) {
    unsigned bits = 0;
    for (std::size_t s = 0; s < kSketchBlock; s += hn::Lanes(d)) {
      auto different = hn::Zero(d);
      for (std::size_t w = 0; w < words; ++w) {
        const auto other = hn::LoadU(d, blocks + w * kSketchBlock + s);
        different = hn::Add(different, hn::PopulationCount(hn::Xor(hn::Set(d, sketch[w]), other)));
      }
      std::uint8_t mask[8] = {};
      hn::StoreMaskBits(Counts(), hn::Lt(hn::BitCast(Counts(), different), limits), mask);
      bits |= static_cast<unsigned>(mask[0]) << s;
    }
    near[block] = static_cast<std::uint8_t>(bits);
    blocks += words * kSketchBlock;
  }
}

#endif

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(near_sketches_of);

}  // namespace

void near_sketches(const std::uint64_t* sketch, const std::uint64_t* blocks, std::size_t count,
                   std::size_t words, std::uint64_t limit, std::uint8_t* near) noexcept {
  HWY_DYNAMIC_DISPATCH(near_sketches_of)(sketch, blocks, count, words, limit, near);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
