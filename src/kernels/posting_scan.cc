#include "kernels/posting_scan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/posting_scan.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes32 = hn::ScalableTag<std::uint32_t>;
using Vector = hn::Vec<Lanes32>;
using Mask = hn::Mask<Lanes32>;

// Not above, lane by lane (for unsigned lanes Highway has only < and >).
HWY_INLINE Mask at_most(Vector a, Vector b) { return hn::Eq(hn::Min(a, b), a); }

// In how many bits the signatures of some postings differ from the one that asks.
HWY_INLINE Vector differing_bits(Lanes32 d, const Postings& postings, std::size_t at,
                                 const std::uint32_t* signature) {
  Vector bits = hn::Zero(d);
  for (std::size_t plane = 0; plane < postings.planes; ++plane) {
    const Vector other = hn::LoadU(d, postings.signatures + plane * postings.stride + at);
    bits = hn::Add(bits, hn::PopulationCount(hn::Xor(other, hn::Set(d, signature[plane]))));
  }
  return bits;
}

std::size_t scan(const Postings& postings, std::size_t begin, std::size_t end,
                 const PostingBounds& bounds, PostingCounts& counts, std::uint32_t* out) {
  const Lanes32 d;
  const hn::RebindToSigned<Lanes32> signed_d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector set_end = hn::Set(d, bounds.set_end);
  const Vector least_size = hn::Set(d, bounds.least_size);
  const Vector most_size = hn::Set(d, bounds.most_size);
  const Vector most_position = hn::Set(d, bounds.most_position);
  const Vector suffix = hn::Set(d, bounds.size - bounds.position);
  const Vector position = hn::Set(d, bounds.position);
  const Vector table_begin = hn::Set(d, bounds.table_begin);
  const auto* table = reinterpret_cast<const std::int32_t*>(bounds.most_different);
  std::size_t found = 0;
  for (std::size_t at = begin; at < end; at += lanes) {
    if (postings.sizes[at] > bounds.most_size || postings.sets[at] >= bounds.set_end) break;
    const std::size_t here = end - at < lanes ? end - at : lanes;
    const Vector sizes = hn::LoadU(d, postings.sizes + at);
    Mask mask = hn::And(hn::FirstN(d, here), hn::Lt(hn::LoadU(d, postings.sets + at), set_end));
    mask = hn::And(mask, hn::And(at_most(least_size, sizes), at_most(sizes, most_size)));
    const std::size_t of_length = hn::CountTrue(d, mask);
    if (of_length == 0) continue;
    counts.length += of_length;
    const Vector positions = hn::LoadU(d, postings.positions + at);
    mask = hn::And(mask, at_most(positions, most_position));
    counts.position += hn::CountTrue(d, mask);
    const auto slots = hn::BitCast(signed_d, hn::IfThenElseZero(mask, hn::Sub(sizes, table_begin)));
    const Vector allowed = hn::BitCast(d, hn::GatherIndex(signed_d, table, slots));
    if (bounds.by_suffix) {
      const Vector other = hn::Sub(sizes, positions);
      const Vector apart = hn::Sub(hn::Max(suffix, other), hn::Min(suffix, other));
      const Vector least = hn::Add(hn::Add(position, positions), apart);
      mask = hn::And(mask, at_most(least, allowed));
    }
    const std::size_t of_suffix = hn::CountTrue(d, mask);
    if (of_suffix == 0) continue;
    counts.suffix += of_suffix;
    if (bounds.signature != nullptr) {
      mask = hn::And(mask, at_most(differing_bits(d, postings, at, bounds.signature), allowed));
    }
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) bits |= std::uint64_t{bytes[i]} << 8 * i;
    for (; bits != 0; bits &= bits - 1) {
      out[found++] =
          static_cast<std::uint32_t>(at - begin + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
    }
  }
  counts.signature += found;
  return found;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(scan);

}  // namespace

std::size_t scan_postings(const Postings& postings, std::size_t begin, std::size_t end,
                          const PostingBounds& bounds, PostingCounts& counts,
                          std::uint32_t* out) noexcept {
  return HWY_DYNAMIC_DISPATCH(scan)(postings, begin, end, bounds, counts, out);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
