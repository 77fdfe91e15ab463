// Computes columns of eight edit-distance tables at a time, because the steps of a single table
// depend on each other.
#include "kernels/edit_lanes.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/edit_lanes.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Words = std::array<std::uint64_t, kEditLanes>;
using Texts = std::array<const std::uint8_t*, kEditLanes>;

// Bit masks of the rows that differ from the row above by 1 and by -1; one lane per column.
struct Columns {
  Words plus;
  Words minus;
};

#if HWY_TARGET != HWY_SCALAR

using D = hn::FixedTag<std::uint64_t, 2>;
using V = hn::Vec<D>;

// A step like DistanceStrip::step_word() in verify/distance_strip.h, for a table whose first row
// increases by 1.
HWY_INLINE void step(const V mask, V& plus, V& minus) {
  const V zero = hn::Or(hn::Xor(hn::Add(hn::And(mask, plus), plus), plus), hn::Or(mask, minus));
  const V across_not_plus = hn::ShiftLeft<1>(hn::AndNot(minus, hn::Or(zero, plus)));
  const V across_minus = hn::ShiftLeft<1>(hn::And(zero, plus));
  plus = hn::Or(across_minus, hn::AndNot(zero, across_not_plus));
  minus = hn::AndNot(across_not_plus, zero);
}

void run_columns(const std::uint64_t* masks, const Texts& texts, std::uint32_t begin,
                 std::uint32_t end, Columns& columns) {
  const D d;
  const auto mask_of = [&](std::size_t lane, std::uint32_t j) HWY_ATTR {
    return hn::InterleaveLower(d, hn::Set(d, masks[texts[lane][j]]),
                               hn::Set(d, masks[texts[lane + 1][j]]));
  };
  std::uint64_t* plus = columns.plus.data();
  std::uint64_t* minus = columns.minus.data();
  V plus0 = hn::LoadU(d, plus);
  V plus2 = hn::LoadU(d, plus + 2);
  V plus4 = hn::LoadU(d, plus + 4);
  V plus6 = hn::LoadU(d, plus + 6);
  V minus0 = hn::LoadU(d, minus);
  V minus2 = hn::LoadU(d, minus + 2);
  V minus4 = hn::LoadU(d, minus + 4);
  V minus6 = hn::LoadU(d, minus + 6);
  for (std::uint32_t j = begin; j < end; ++j) {
    step(mask_of(0, j), plus0, minus0);
    step(mask_of(2, j), plus2, minus2);
    step(mask_of(4, j), plus4, minus4);
    step(mask_of(6, j), plus6, minus6);
  }
  hn::StoreU(plus0, d, plus);
  hn::StoreU(plus2, d, plus + 2);
  hn::StoreU(plus4, d, plus + 4);
  hn::StoreU(plus6, d, plus + 6);
  hn::StoreU(minus0, d, minus);
  hn::StoreU(minus2, d, minus + 2);
  hn::StoreU(minus4, d, minus + 4);
  hn::StoreU(minus6, d, minus + 6);
}

#else

void run_columns(const std::uint64_t* masks, const Texts& texts, std::uint32_t begin,
                 std::uint32_t end, Columns& columns) {
  for (std::size_t lane = 0; lane < kEditLanes; ++lane) {
    std::uint64_t plus = columns.plus[lane];
    std::uint64_t minus = columns.minus[lane];
    for (std::uint32_t j = begin; j < end; ++j) {
      const std::uint64_t mask = masks[texts[lane][j]];
      const std::uint64_t zero = (((mask & plus) + plus) ^ plus) | mask | minus;
      const std::uint64_t across_not_plus = ((zero | plus) & ~minus) << 1;
      const std::uint64_t across_minus = (zero & plus) << 1;
      plus = across_minus | (~zero & across_not_plus);
      minus = zero & ~across_not_plus;
    }
    columns.plus[lane] = plus;
    columns.minus[lane] = minus;
  }
}

#endif

void edit_lanes_of(const std::uint64_t* masks, std::uint32_t rows,
                   const std::uint8_t* const* own_texts, const std::uint32_t* lengths,
                   std::uint32_t* distances) {
  Columns columns;
  columns.plus.fill(~std::uint64_t{0});
  columns.minus.fill(0);
  std::fill_n(distances, kEditLanes, rows);  // distances of texts without symbols
  Texts texts;
  std::copy_n(own_texts, kEditLanes, texts.begin());
  const std::uint64_t marked = ~std::uint64_t{0} >> (64 - rows);
  const std::uint32_t* longest = std::max_element(lengths, lengths + kEditLanes);
  for (std::uint32_t begin = 0, end = 0;; begin = end) {
    end = *longest;
    for (std::size_t lane = 0; lane < kEditLanes; ++lane) {
      if (lengths[lane] > begin) end = std::min(end, lengths[lane]);
    }
    run_columns(masks, texts, begin, end, columns);
    for (std::size_t lane = 0; lane < kEditLanes; ++lane) {
      if (lengths[lane] != end) continue;
      // The first row holds the number of columns; the differences lead from there to the last row.
      distances[lane] = end +
                        static_cast<std::uint32_t>(hwy::PopCount(columns.plus[lane] & marked)) -
                        static_cast<std::uint32_t>(hwy::PopCount(columns.minus[lane] & marked));
      texts[lane] = own_texts[longest - lengths];  // finished, so its symbols are ignored
    }
    if (end == *longest) return;
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(edit_lanes_of);

}  // namespace

void edit_lanes(const std::uint64_t* masks, std::uint32_t rows, const std::uint8_t* const* texts,
                const std::uint32_t* lengths, std::uint32_t* distances) noexcept {
  HWY_DYNAMIC_DISPATCH(edit_lanes_of)(masks, rows, texts, lengths, distances);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
