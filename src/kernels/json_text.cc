// Copies JSON strings up to the first byte that needs more than a copy.
#include "kernels/json_text.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/json_text.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/compress_64-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

JsonText copy_of(const std::uint8_t* in, const std::uint8_t* end, std::uint8_t* out,
                 bool drop_backslashes) {
  JsonText text;
  for (; in < end && *in != '"'; ++in) {
    std::uint8_t c = *in;
    text.non_ascii = text.non_ascii || c >= 0x80;
    bool odd = c < 0x20;
    if (c == '\\') {
      if (!drop_backslashes) out[text.written++] = c;
      c = *++in;
      const bool blank = c == 'n' || c == 'r' || c == 't' || c == 'f';
      odd = !blank && c != '"' && c != '\\' && c != '/';
      if (blank) c = ' ';
    }
    if (odd) {
      text.odd = true;
      break;
    }
    out[text.written++] = c;
  }
  if (in < end) text.stop = in;
  return text;
}

#else

// Marks the bytes that follow an unescaped backslash (as in simdjson: Langdale, Lemire, "Parsing
// gigabytes of JSON per second", 2019, section 3.1.1). `carry`: 1 if the previous block ended with
// such a backslash.
HWY_INLINE std::uint64_t find_escaped(std::uint64_t backslashes, std::uint64_t& carry) {
  constexpr std::uint64_t kEven = 0x5555555555555555ULL;
  backslashes &= ~carry;
  const std::uint64_t behind = backslashes << 1 | carry;
  const std::uint64_t odd_starts = backslashes & ~kEven & ~behind;
  const std::uint64_t sum = odd_starts + backslashes;
  carry = sum < odd_starts ? 1 : 0;
  return (kEven ^ sum << 1) & behind;
}

struct Block {
  std::uint64_t quotes = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t controls = 0;
  std::uint64_t high = 0;
};

HWY_INLINE Block inspect(const std::uint8_t* in, std::uint8_t* out) {
  const hn::CappedTag<std::uint8_t, 64> d;
  Block block;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, in + i);
    hn::StoreU(v, d, out + i);
    block.quotes |= bits_of(d, hn::Eq(v, hn::Set(d, '"'))) << i;
    block.backslashes |= bits_of(d, hn::Eq(v, hn::Set(d, '\\'))) << i;
    block.controls |= bits_of(d, in_range(d, v, 0, 32)) << i;
    block.high |= bits_of(d, in_range(d, v, 0x80, 128)) << i;
  }
  return block;
}

// Replaces escapes for white space with spaces, from `in` to `out`; returns bits for characters
// whose escapes are not supported here.
HWY_INLINE std::uint64_t blank_escapes(const std::uint8_t* in, std::uint64_t escaped,
                                       std::uint8_t* out) {
  const hn::CappedTag<std::uint8_t, 64> d;
  std::uint64_t odd = 0;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, in + i);
    std::uint8_t bits[8];
    const std::uint64_t part = escaped >> i;
    hwy::CopyBytes<8>(&part, bits);
    const auto here = hn::LoadMaskBits(d, bits);
    const auto blank = hn::Or(hn::Or(hn::Eq(v, hn::Set(d, 'n')), hn::Eq(v, hn::Set(d, 't'))),
                              hn::Or(hn::Eq(v, hn::Set(d, 'r')), hn::Eq(v, hn::Set(d, 'f'))));
    const auto sign = hn::Or(hn::Eq(v, hn::Set(d, '"')),
                             hn::Or(hn::Eq(v, hn::Set(d, '\\')), hn::Eq(v, hn::Set(d, '/'))));
    hn::StoreU(hn::IfThenElse(hn::And(here, blank), hn::Set(d, ' '), v), d, out + i);
    odd |= bits_of(d, hn::AndNot(hn::Or(blank, sign), here)) << i;
  }
  return odd;
}

JsonText copy_of(const std::uint8_t* in, const std::uint8_t* end, std::uint8_t* out,
                 bool drop_backslashes) {
  JsonText text;
  std::uint64_t carry = 0;
  std::uint64_t high = 0;
  alignas(64) std::uint8_t blanked[64 + 8];
  for (; in < end; in += 64) {
    const Block block = inspect(in, out + text.written);
    std::uint64_t escaped = 0;
    std::uint64_t odd = block.controls;
    if ((block.backslashes | carry) != 0) {
      escaped = find_escaped(block.backslashes, carry);
      odd |= blank_escapes(in, escaped, drop_backslashes ? blanked : out + text.written);
    }
    const std::uint64_t quotes = block.quotes & ~escaped;
    const std::uint64_t inside = quotes == 0 ? ~0ULL : (quotes & (~quotes + 1)) - 1;
    std::uint64_t kept = inside;
    if (drop_backslashes && (block.backslashes | escaped) != 0) {
      kept &= ~(block.backslashes & ~escaped);
      compress_64(kept, blanked, out + text.written);
    }
    const std::uint64_t ends = (odd & inside) | quotes;
    const std::uint64_t before = ends == 0 ? ~0ULL : (ends & (~ends + 1)) - 1;
    text.written += hwy::PopCount(kept & before);
    high |= block.high & before;
    if (ends != 0) {
      const int at = std::countr_zero(ends);
      text.odd = (odd >> at & 1) != 0;
      if (in + at < end) text.stop = in + at;
      break;
    }
  }
  text.non_ascii = high != 0;
  return text;
}

#endif

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(copy_of);

}  // namespace

JsonText copy_json_text(const std::uint8_t* in, const std::uint8_t* end, std::uint8_t* out,
                        bool drop_backslashes) noexcept {
  return HWY_DYNAMIC_DISPATCH(copy_of)(in, end, out, drop_backslashes);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
