#include "kernels/chars.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/chars.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"
#include "kernels/bytes-inl.h"

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

void windows_of(const std::uint8_t* text, std::size_t count, std::size_t size, std::uint64_t* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = hash_window(text + i, size);
}

#else

// Folds 64 bytes; one bit for each that is blank.
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

// The lower 64 bits of a product.
template <class V>
HWY_INLINE V multiply(V a, V b) {
#if HWY_TARGET <= HWY_AVX3
  return hn::Mul(a, b);
#else
  const hn::Repartition<std::uint32_t, hn::DFromV<V>> d32;
  const hn::DFromV<V> d;
  const auto low_a = hn::BitCast(d32, a);
  const auto low_b = hn::BitCast(d32, b);
  const auto high_a = hn::BitCast(d32, hn::ShiftRight<32>(a));
  const auto high_b = hn::BitCast(d32, hn::ShiftRight<32>(b));
  const V cross = hn::Add(hn::MulEven(high_a, low_b), hn::MulEven(low_a, high_b));
  return hn::Add(hn::BitCast(d, hn::MulEven(low_a, low_b)), hn::ShiftLeft<32>(cross));
#endif
}

void windows_of(const std::uint8_t* text, std::size_t count, std::size_t size, std::uint64_t* out) {
  const hn::CappedTag<std::uint64_t, 8> d;
  const hn::Repartition<std::uint8_t, decltype(d)> d8;
  const std::size_t lanes = hn::Lanes(d);
  // Lane i takes the bytes i to i + 7 of a copy of 16 bytes in its half of a pair.
  alignas(64) std::uint8_t places[64];
  for (std::size_t i = 0; i < 64; ++i) places[i] = static_cast<std::uint8_t>(i / 8 + i % 8);
  const auto shuffle = hn::Load(d8, places);
  const auto words_at = [&](const std::uint8_t* p) HWY_ATTR {
    return hn::BitCast(d, hn::TableLookupBytes(hn::LoadDup128(d8, p), shuffle));
  };
  const auto first = hn::Set(d, 0x9FB21C651E98DF25ULL);
  const auto last = hn::Set(d, 0xBF58476D1CE4E5B9ULL);
  const auto final = hn::Set(d, 0x94D049BB133111EBULL);
  const auto mask = hn::Set(d, size < 8 ? ~(~std::uint64_t{0} << 8 * size) : ~std::uint64_t{0});
  const auto start = hn::Set(d, size * 0x9E3779B97F4A7C15ULL);
  for (std::size_t i = 0; i < count; i += lanes) {
    const std::uint8_t* p = text + i;
    auto h = multiply(hn::Xor(hn::And(words_at(p), mask), start), first);
    h = hn::Xor(h, hn::ShiftRight<32>(h));
    for (std::size_t at = 8; at + 8 < size; at += 8) {
      h = multiply(hn::Xor(h, words_at(p + at)), first);
      h = hn::Xor(h, hn::ShiftRight<32>(h));
    }
    if (size > 8) {
      h = multiply(hn::Xor(h, words_at(p + size - 8)), last);
      h = hn::Xor(h, hn::ShiftRight<32>(h));
    }
    h = multiply(h, final);
    h = hn::Xor(h, hn::ShiftRight<29>(h));
    if (count - i >= lanes) {
      hn::StoreU(h, d, out + i);
    } else {
      alignas(64) std::uint64_t rest[8];
      hn::Store(h, d, rest);
      std::copy_n(rest, count - i, out + i);
    }
  }
}

#endif

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(fold_of);
HWY_EXPORT(windows_of);

}  // namespace

std::size_t fold_ascii_chars(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                             bool& after_blank) noexcept {
  return HWY_DYNAMIC_DISPATCH(fold_of)(in, size, out, after_blank);
}

void hash_windows(const std::uint8_t* text, std::size_t count, std::size_t size,
                  std::uint64_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(windows_of)(text, count, size, out);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
