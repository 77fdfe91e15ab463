// Marks where the words of a text begin and end, and folds the text.
#include "kernels/word_marks.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/word_marks.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/utf8_block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// One bit for each of 64 bytes, combined into words; also folds the bytes.
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
std::uint64_t fold_64(const std::uint8_t* in, std::uint8_t* out) {
  std::uint64_t in_word = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint8_t c = in[i];
    const bool upper = static_cast<std::uint8_t>(c - 'A') < 26;
    const auto lower = static_cast<std::uint8_t>(upper ? c + 32 : c);
    out[i] = lower;
    const bool word = static_cast<std::uint8_t>(lower - 'a') < 26 ||
                      static_cast<std::uint8_t>(c - '0') < 10 || c == '_' || c >= 0x80;
    in_word |= std::uint64_t{word} << i;
  }
  return in_word;
}
#else
std::uint64_t fold_64(const std::uint8_t* in, std::uint8_t* out) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint64_t in_word = 0;
  for (std::size_t i = 0; i < 64; i += lanes) {
    const auto v = hn::LoadU(d, in + i);
    const auto case_bit = hn::IfThenElseZero(in_range(d, v, 'A', 26), hn::Set(d, 0x20));
    const auto lower = hn::Or(v, case_bit);
    hn::StoreU(lower, d, out + i);
    const auto letter = in_range(d, lower, 'a', 26);
    const auto digit = in_range(d, v, '0', 10);
    const auto other = hn::Or(hn::Eq(v, hn::Set(d, '_')), in_range(d, v, 0x80, 128));
    in_word |= bits_of(d, hn::Or(hn::Or(letter, digit), other)) << i;
  }
  return in_word;
}
#endif

// Writes base + position of each set bit to `to` and returns their number; up to 31 values written
// beyond the last are overwritten later.
HWY_INLINE std::size_t write_places(std::uint64_t bits, std::uint32_t base, std::uint32_t* to) {
  const std::size_t count = hwy::PopCount(bits);
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
  const hn::FixedTag<std::uint8_t, 64> d;
  const hn::FixedTag<std::uint8_t, 16> d_part;
  const hn::FixedTag<std::uint32_t, 16> d_place;
  alignas(64) std::uint8_t places[64];
  hn::Store(hn::Compress(hn::Iota(d, 0), mask_at(d, bits, 0)), d, places);
  const auto from = hn::Set(d_place, base);
  for (std::size_t done = 0; done < count; done += 32) {
    for (const std::size_t part : {done, done + 16}) {
      const auto wide = hn::PromoteTo(d_place, hn::Load(d_part, places + part));
      hn::StoreU(hn::Add(from, wide), d_place, to + part);
    }
  }
#else
  // Eight at a time, because a loop that stops at the last bit would be mispredicted in every
  // block.
  for (std::size_t done = 0; done < count; done += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      to[done + k] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
    }
  }
#endif
  return count;
}

// Writes begins and ends; an end is written at the place for the next begin.
HWY_INLINE std::size_t write_turns(std::uint64_t begins, std::uint64_t ends, std::uint32_t base,
                                   bool inside, std::uint32_t* to) {
  alignas(64) std::uint32_t places[2][64 + 32];
  const std::size_t firsts = write_places(inside ? ends : begins, base, places[0]);
  const std::size_t seconds = write_places(inside ? begins : ends, base, places[1]);
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  for (std::size_t i = 0; i < firsts; ++i) {
    to[2 * i] = places[0][i];
    to[2 * i + 1] = places[1][i];
  }
#else
  const hn::CappedTag<std::uint32_t, 16> d;
  for (std::size_t i = 0; i < firsts; i += hn::Lanes(d)) {
    hn::StoreInterleaved2(hn::Load(d, places[0] + i), hn::Load(d, places[1] + i), d, to + 2 * i);
  }
#endif
  return firsts + seconds;
}

void mark_of(const std::uint8_t* in, std::size_t size, std::uint8_t* out, std::uint32_t base,
             WordMarks& marks) {
  std::size_t count = marks.count;
  for (std::size_t i = 0; i < size; i += 64) {
    const std::uint64_t in_word = fold_64(in + i, out + i);
    const std::uint64_t valid = size - i >= 64 ? ~0ULL : ~0ULL >> (64 - (size - i));
    const std::uint64_t turns = (in_word ^ (in_word << 1 | (count & 1))) & valid;
    count += write_places(turns, base + static_cast<std::uint32_t>(i), marks.places + count);
  }
  marks.count = count;
}

Taken mark_utf8_of(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                   std::uint8_t* out, std::uint32_t base, WordMarks& marks) {
  constexpr std::size_t kMost = kMarkBytes - 64;
  Taken taken;
  std::size_t count = marks.count;
  while (taken.size < size && taken.size <= kMost && !taken.stopped) {
    const std::size_t i = taken.size;
    const Utf8Block block = fold_utf8_block(in + i, size - i, letters, out + i);
    const std::uint64_t before = block.words << 1 | (count & 1);
    const std::uint64_t valid = first_bits(block.size);
    const auto at = base + static_cast<std::uint32_t>(i);
    std::uint32_t* to = marks.places + count;
    if (block.breaks == 0) {
      count += write_places((block.words ^ before) & valid, at, to);
    } else {
      // A word also ends at a break, even if the next block continues there.
      const std::uint64_t begins = block.words & (~before | block.breaks) & valid;
      const std::uint64_t ends =
          before & (~block.words | block.breaks) & (valid | (block.breaks & (valid << 1 | 1)));
      count += write_turns(begins, ends, at, (count & 1) != 0, to);
    }
    taken.size += block.size;
    taken.stopped = block.stopped;
  }
  marks.count = count;
  return taken;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(mark_of);
HWY_EXPORT(mark_utf8_of);

}  // namespace

void mark_ascii_words(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                      std::uint32_t base, WordMarks& marks) noexcept {
  HWY_DYNAMIC_DISPATCH(mark_of)(in, size, out, base, marks);
}

Taken mark_utf8_words(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                      std::uint8_t* out, std::uint32_t base, WordMarks& marks) noexcept {
  return HWY_DYNAMIC_DISPATCH(mark_utf8_of)(in, size, letters, out, base, marks);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
