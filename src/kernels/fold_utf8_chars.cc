// Folds text for character shingles, 64 bytes at a time.
#include "kernels/fold_utf8_chars.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fold_utf8_chars.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/utf8_block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

std::size_t fold_of(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                    bool& after_blank) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint8_t c = in[i];
    const bool blank = c == ' ' || c == 0 || static_cast<std::uint8_t>(c - '\t') < 5;
    const bool upper = static_cast<std::uint8_t>(c - 'A') < 26;
    out[written] = blank ? ' ' : static_cast<std::uint8_t>(upper ? c + 32 : c);
    written += blank && after_blank ? 0 : 1;
    after_blank = blank;
  }
  return written;
}

#else

// Folds 64 bytes; returns a bit for each byte of white space.
HWY_INLINE std::uint64_t fold_64(const std::uint8_t* in, std::uint8_t* out) {
  const hn::CappedTag<std::uint8_t, 64> d;
  std::uint64_t blanks = 0;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, in + i);
    const auto blank =
        hn::Or(in_range(d, v, '\t', 5), hn::Or(hn::Eq(v, hn::Set(d, ' ')), hn::Eq(v, hn::Zero(d))));
    const auto case_bit = hn::IfThenElseZero(in_range(d, v, 'A', 26), hn::Set(d, 0x20));
    hn::StoreU(hn::IfThenElse(blank, hn::Set(d, ' '), hn::Or(v, case_bit)), d, out + i);
    blanks |= bits_of(d, blank) << i;
  }
  return blanks;
}

std::size_t fold_of(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                    bool& after_blank) {
  alignas(64) std::uint8_t folded[64 + 16];
  std::size_t written = 0;
  std::uint64_t carry = after_blank ? 1 : 0;
  for (std::size_t i = 0; i < size; i += 64) {
    const std::size_t valid_bytes = HWY_MIN(size - i, 64);
    const std::uint64_t valid = ~0ULL >> (64 - valid_bytes);
    const std::uint64_t blanks = fold_64(in + i, folded);
    const std::uint64_t kept = ~(blanks & (blanks << 1 | carry));
    carry = blanks >> (valid_bytes - 1) & 1;
    if ((~kept & valid) == 0) {
      hwy::CopyBytes<64>(folded, out + written);
    } else {
      compress_64(kept, folded, out + written);
    }
    written += hwy::PopCount(kept & valid);
  }
  after_blank = carry != 0;
  return written;
}

#endif

// Writes the bytes whose bits are set, out of 64 (aligned; 16 more must be readable), without gaps.
void write_kept(std::uint64_t kept, std::uint64_t valid, const std::uint8_t* folded,
                std::uint8_t* out) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  for (std::uint64_t left = kept & valid; left != 0; left &= left - 1) {
    *out++ = folded[hwy::Num0BitsBelowLS1Bit_Nonzero64(left)];
  }
#else
  if ((~kept & valid) == 0) {
    hwy::CopyBytes<64>(folded, out);
  } else {
    compress_64(kept, folded, out);
  }
#endif
}

std::size_t fold_utf8_of(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                         std::uint8_t* out, bool& after_blank, Taken& taken) {
  alignas(64) std::uint8_t folded[64 + 16];
  std::size_t written = 0;
  while (taken.size < size && !taken.stopped) {
    const Utf8Block block = fold_utf8_block(in + taken.size, size - taken.size, letters, folded);
    const std::uint64_t valid = first_bits(block.size);
    const std::uint64_t kept =
        ~(block.blanks & (block.blanks << 1 | (after_blank ? std::uint64_t{1} : 0)));
    write_kept(kept, valid, folded, out + written);
    written += hwy::PopCount(kept & valid);
    if (block.size > 0) after_blank = (block.blanks >> (block.size - 1) & 1) != 0;
    taken.size += block.size;
    taken.stopped = block.stopped;
  }
  return written;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(fold_of);
HWY_EXPORT(fold_utf8_of);

}  // namespace

std::size_t fold_ascii_chars(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                             bool& after_blank) noexcept {
  return HWY_DYNAMIC_DISPATCH(fold_of)(in, size, out, after_blank);
}

std::size_t fold_utf8_chars(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                            std::uint8_t* out, bool& after_blank, Taken& taken) noexcept {
  return HWY_DYNAMIC_DISPATCH(fold_utf8_of)(in, size, letters, out, after_blank, taken);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
