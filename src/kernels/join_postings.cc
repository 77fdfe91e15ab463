// Pairs the postings of one list and filters them by position, size and parity signature.
#include "kernels/join_postings.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/join_postings.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes32 = hn::ScalableTag<std::uint32_t>;
using Vector = hn::Vec<Lanes32>;
using Mask = hn::Mask<Lanes32>;

constexpr std::size_t kAhead = 16;  // number of postings to prefetch

// Lane by lane, not above (for unsigned lanes, Highway only has < and >).
HWY_INLINE Mask at_most(Vector a, Vector b) { return hn::Eq(hn::Min(a, b), a); }

class Join {
 public:
  Join(const JoinTables& tables, const PostingColumns& columns, PostingCounts& counts,
       PostingPair* out)
      : tables_(tables), columns_(columns), counts_(counts), out_(out) {}

  std::size_t run(PostingBlock& block, std::size_t capacity) {
    for (; block.next < block.probe_end; ++block.next) {
      if (block.next == block.index_end && block.next < block.probe_begin) {
        block.next = block.probe_begin;
      }
      prefetch(block.list[block.next + kAhead]);
      const Posting posting = block.list[block.next];
      const std::uint32_t rank = tables_.ranks[posting.set];
      const SizeRow& row = tables_.sizes[rank];
      if ((posting.place & kProbes) != 0 && block.next >= block.probe_begin) {
        narrow(row, block);
        if (block.first < block.last) {
          if (found_ + (block.last - block.first) > capacity) break;
          probe(posting, row, block);
        }
      }
      if ((posting.place & kIndexed) != 0 && block.next < block.index_end) {
        append(posting, rank, row.size, block.indexed++);
      }
    }
    return found_;
  }

 private:
  void prefetch(const Posting& posting) const {
    hwy::Prefetch(tables_.ranks + posting.set);
    if (tables_.words > 0) hwy::Prefetch(tables_.signatures + posting.set * tables_.words);
  }

  // Keeps the indexed postings whose sizes are compatible with a set of this size. Probing sets
  // arrive in ascending order of size.
  void narrow(const SizeRow& row, PostingBlock& block) const {
    while (block.first < block.indexed && columns_.ranks[block.first] < row.least_rank) {
      ++block.first;
    }
    while (block.last < block.indexed && columns_.ranks[block.last] <= row.most_rank) ++block.last;
  }

  void append(const Posting& posting, std::uint32_t rank, std::uint32_t size, std::size_t at) {
    const std::uint32_t position = posting.place & kPositionMask;
    columns_.postings[at] = {posting.set, position};
    columns_.ranks[at] = rank;
    columns_.positions[at] = position;
    columns_.suffixes[at] = size - position;
    const std::uint32_t* const signature = tables_.signatures + posting.set * tables_.words;
    for (std::size_t word = 0; word < tables_.words; ++word) {
      columns_.signatures[word * kColumnStride + at] = signature[word];
    }
  }

  // Number of bits in which the signatures of some postings differ from the probing signature.
  HWY_INLINE Vector differing_bits(std::size_t at, const std::uint32_t* signature) const {
    const Lanes32 d;
    Vector bits = hn::Zero(d);
    for (std::size_t word = 0; word < tables_.words; ++word) {
      const Vector other = hn::LoadU(d, columns_.signatures + word * kColumnStride + at);
      bits = hn::Add(bits, hn::PopulationCount(hn::Xor(other, hn::Set(d, signature[word]))));
    }
    return bits;
  }

  void probe(const Posting& posting, const SizeRow& row, const PostingBlock& block) {
    const Lanes32 d;
    const hn::RebindToSigned<Lanes32> signed_d;
    const std::size_t lanes = hn::Lanes(d);
    const std::uint32_t own = posting.place & kPositionMask;
    const Vector most_position = hn::Set(d, row.most_positions[own]);
    const Vector suffix = hn::Set(d, row.size - own);
    const Vector position = hn::Set(d, own);
    const Vector table_begin = hn::Set(d, row.least_rank);
    // Usually, so few sizes are compatible that their bounds fit in one vector.
    const bool few = row.most_rank - row.least_rank < lanes;
    const auto* const table = reinterpret_cast<const std::int32_t*>(row.most_different);
    const Vector bounds = hn::LoadU(d, row.most_different);
    counts_.length += block.last - block.first;
    for (std::size_t at = block.first; at < block.last; at += lanes) {
      const Vector positions = hn::LoadU(d, columns_.positions + at);
      const std::size_t here = HWY_MIN(block.last - at, lanes);
      Mask mask = hn::And(hn::FirstN(d, here), at_most(positions, most_position));
      const std::size_t of_position = hn::CountTrue(d, mask);
      if (of_position == 0) continue;
      counts_.position += of_position;
      const Vector ranks = hn::LoadU(d, columns_.ranks + at);
      const auto slots =
          hn::BitCast(signed_d, hn::IfThenElseZero(mask, hn::Sub(ranks, table_begin)));
      const Vector allowed =
          few ? hn::TableLookupLanes(bounds, hn::IndicesFromVec(d, hn::BitCast(d, slots)))
              : hn::BitCast(d, hn::GatherIndex(signed_d, table, slots));
      if (tables_.by_suffix) {
        const Vector other = hn::LoadU(d, columns_.suffixes + at);
        const Vector apart = hn::Sub(hn::Max(suffix, other), hn::Min(suffix, other));
        const Vector least = hn::Add(hn::Add(position, positions), apart);
        mask = hn::And(mask, at_most(least, allowed));
      }
      const std::size_t of_suffix = hn::CountTrue(d, mask);
      if (of_suffix == 0) continue;
      counts_.suffix += of_suffix;
      if (tables_.words > 0) {
        const std::uint32_t* const signature = tables_.signatures + posting.set * tables_.words;
        mask = hn::And(mask, at_most(differing_bits(at, signature), allowed));
      }
      write(mask, at, {posting.set, own});
    }
  }

  HWY_INLINE void write(Mask mask, std::size_t at, Posting probe) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Lanes32(), mask, bytes);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) bits |= std::uint64_t{bytes[i]} << 8 * i;
    counts_.signature += hn::CountTrue(Lanes32(), mask);
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t i = at + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits);
      out_[found_++] = {columns_.postings[i], probe};
    }
  }

  const JoinTables& tables_;
  const PostingColumns& columns_;
  PostingCounts& counts_;
  PostingPair* out_;
  std::size_t found_ = 0;
};

std::size_t join(PostingBlock& block, const JoinTables& tables, const PostingColumns& columns,
                 PostingCounts& counts, PostingPair* out, std::size_t capacity) {
  return Join(tables, columns, counts, out).run(block, capacity);
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(join);

}  // namespace

std::size_t join_postings(PostingBlock& block, const JoinTables& tables,
                          const PostingColumns& columns, PostingCounts& counts, PostingPair* out,
                          std::size_t capacity) noexcept {
  return HWY_DYNAMIC_DISPATCH(join)(block, tables, columns, counts, out, capacity);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
