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

// One bit for each of 64 bytes, set in words; the bytes are folded on the way.
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

// Writes base + the position of each set bit to every second place from `to`. Eight at a time: a
// loop that ends at the last bit would be mispredicted in every block. What is written behind the
// last is overwritten later.
HWY_INLINE std::size_t write_positions(std::uint64_t bits, std::uint32_t base, std::uint32_t* to) {
  const std::size_t count = hwy::PopCount(bits);
  for (std::size_t done = 0; done < count; done += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      to[2 * (done + k)] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
    }
  }
  return count;
}

void mark_of(const std::uint8_t* in, std::size_t size, std::uint8_t* out, std::uint32_t base,
             WordMarks& marks) {
  std::size_t begun = marks.begun;
  std::size_t ended = marks.ended;
  for (std::size_t i = 0; i < size; i += 64) {
    const std::uint64_t in_word = fold_64(in + i, out + i);
    const std::uint64_t valid = size - i >= 64 ? ~0ULL : ~0ULL >> (64 - (size - i));
    const std::uint64_t before = in_word << 1 | (begun != ended ? 1U : 0U);
    const auto at = base + static_cast<std::uint32_t>(i);
    begun += write_positions(in_word & ~before & valid, at, marks.spans + 2 * begun);
    ended += write_positions(~in_word & before & valid, at, marks.spans + 2 * ended + 1);
  }
  marks.begun = begun;
  marks.ended = ended;
}

Taken mark_utf8_of(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                   std::uint8_t* out, std::uint32_t base, WordMarks& marks) {
  constexpr std::size_t kMost = kMarkBytes - 64;
  Taken taken;
  std::size_t begun = marks.begun;
  std::size_t ended = marks.ended;
  while (taken.size < size && taken.size <= kMost && !taken.stopped) {
    const std::size_t i = taken.size;
    const Utf8Block block = fold_utf8_block(in + i, size - i, letters, out + i);
    const std::uint64_t before = block.words << 1 | (begun != ended ? 1U : 0U);
    const auto at = base + static_cast<std::uint32_t>(i);
    const std::uint64_t begins = block.words & (~before | block.breaks);
    begun += write_positions(begins & low_bits(block.size), at, marks.spans + 2 * begun);
    // What ends or begins with a break ends the word before it, though the next block goes on
    // there.
    const std::uint64_t taken_bits = low_bits(block.size);
    const std::uint64_t ends = before & (~block.words | block.breaks);
    const std::uint64_t valid = taken_bits | (block.breaks & (taken_bits << 1 | 1));
    ended += write_positions(ends & valid, at, marks.spans + 2 * ended + 1);
    taken.size += block.size;
    taken.stopped = block.stopped;
  }
  marks.begun = begun;
  marks.ended = ended;
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
