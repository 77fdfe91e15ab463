// Hashes the words and windows of a text, several at a time.
#include "kernels/hash_words.h"

#include <algorithm>

#include "kernels/hash_bytes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/hash_words.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void words_of(const char* text, const std::uint32_t* spans, std::size_t count, std::uint64_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = hash_bytes(text + spans[2 * i], spans[2 * i + 1] - spans[2 * i]);
  }
}

void windows_of(const char* text, std::size_t count, std::size_t size, std::uint64_t* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = hash_bytes(text + i, size);
}

#else

// The lower 64 bits of a product.
template <class V>
HWY_INLINE V multiply(V a, V b) {
#if HWY_TARGET <= HWY_AVX3
  return hn::Mul(a, b);
#else
  const hn::Repartition<std::uint32_t, hn::DFromV<V> > d32;
  const hn::DFromV<V> d;
  const auto low_a = hn::BitCast(d32, a);
  const auto low_b = hn::BitCast(d32, b);
  const auto high_a = hn::BitCast(d32, hn::ShiftRight<32>(a));
  const auto high_b = hn::BitCast(d32, hn::ShiftRight<32>(b));
  const V cross = hn::Add(hn::MulEven(high_a, low_b), hn::MulEven(low_a, high_b));
  return hn::Add(hn::BitCast(d, hn::MulEven(low_a, low_b)), hn::ShiftLeft<32>(cross));
#endif
}

void words_of(const char* text, const std::uint32_t* spans, std::size_t count, std::uint64_t* out) {
  const hn::CappedTag<std::uint64_t, 8> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto* base = reinterpret_cast<const std::uint64_t*>(text);  // offsets count bytes
  const auto low_half = hn::Set(d, 0xFFFFFFFFU);
  const auto eight = hn::Set(d, 8);
  const auto ones = hn::Set(d, ~std::uint64_t{0});
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto span = hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(spans + 2 * i));
    const auto begin = hn::And(span, low_half);
    const auto size = hn::Sub(hn::ShiftRight<32>(span), begin);
    const auto is_long = hn::Gt(size, eight);
    const auto head = hn::Min(size, eight);
    // All bits set in bytes 8 and above; shifts twice, because a shift by 64 is undefined.
    const auto bits = hn::ShiftLeft<2>(head);
    const auto mask = hn::Not(hn::Shl(hn::Shl(ones, bits), bits));
    const auto first = hn::GatherOffset(d, base, hn::BitCast(di, begin));
    auto h = multiply(hn::Xor(hn::And(first, mask), multiply(size, hn::Set(d, kHashSize))),
                      hn::Set(d, kHashFirst));
    h = hn::Xor(h, hn::ShiftRight<32>(h));
    const auto last =
        hn::GatherOffset(d, base, hn::BitCast(di, hn::Add(begin, hn::Sub(size, head))));
    auto longer = multiply(hn::Xor(h, last), hn::Set(d, kHashLast));
    longer = hn::Xor(longer, hn::ShiftRight<32>(longer));
    h = multiply(hn::IfThenElse(is_long, longer, h), hn::Set(d, kHashFinal));
    hn::StoreU(hn::Xor(h, hn::ShiftRight<29>(h)), d, out + i);
    // Tokens longer than two loads are rare.
    std::uint8_t longest[8] = {};
    hn::StoreMaskBits(d, hn::Gt(size, hn::Set(d, 16)), longest);
    for (unsigned left = longest[0]; left != 0; left &= left - 1) {
      const std::size_t at = i + hwy::Num0BitsBelowLS1Bit_Nonzero32(left);
      out[at] = hash_bytes(text + spans[2 * at], spans[2 * at + 1] - spans[2 * at]);
    }
  }
  for (; i < count; ++i) {
    out[i] = hash_bytes(text + spans[2 * i], spans[2 * i + 1] - spans[2 * i]);
  }
}

void windows_of(const char* text, std::size_t count, std::size_t size, std::uint64_t* out) {
  const hn::CappedTag<std::uint64_t, 8> d;
  const hn::Repartition<std::uint8_t, decltype(d)> d8;
  const std::size_t lanes = hn::Lanes(d);
  // Lane i reads bytes i to i + 7 of a 16-byte copy in its half of a pair.
  alignas(64) std::uint8_t places[64];
  for (std::size_t i = 0; i < 64; ++i) places[i] = static_cast<std::uint8_t>(i / 8 + i % 8);
  const auto shuffle = hn::Load(d8, places);
  const auto words_at = [&](const char* p) HWY_ATTR {
    return hn::BitCast(
        d, hn::TableLookupBytes(hn::LoadDup128(d8, reinterpret_cast<const std::uint8_t*>(p)),
                                shuffle));
  };
  const auto first = hn::Set(d, kHashFirst);
  const auto last = hn::Set(d, kHashLast);
  const auto final = hn::Set(d, kHashFinal);
  const auto mask = hn::Set(d, size < 8 ? ~(~std::uint64_t{0} << 8 * size) : ~std::uint64_t{0});
  const auto start = hn::Set(d, size * kHashSize);
  for (std::size_t i = 0; i < count; i += lanes) {
    const char* p = text + i;
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

void runs_of_piece(const std::uint64_t* words, std::size_t count, int size, std::uint64_t start,
                   std::uint64_t* out) {
  // A plain loop over each position, so that compilers vectorise rotations and multiplications.
  for (std::size_t i = 0; i < count; ++i) out[i] = start;
  for (int place = 0; place < size; ++place) {
    const int left = 11 * place % 64;
    const int right = (64 - left) % 64;
    const std::uint64_t* from = words + place;
    for (std::size_t i = 0; i < count; ++i) out[i] ^= from[i] << left | from[i] >> right;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t x = out[i];
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    out[i] = x ^ (x >> 31);
  }
}

void runs_of(const std::uint64_t* words, std::size_t count, int size, std::uint64_t start,
             std::uint64_t* out) {
  constexpr std::size_t kPiece = 1024;  // stays in cache while all positions are processed
  for (std::size_t i = 0; i < count; i += kPiece) {
    runs_of_piece(words + i, HWY_MIN(kPiece, count - i), size, start, out + i);
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(words_of);
HWY_EXPORT(windows_of);
HWY_EXPORT(runs_of);

}  // namespace

void hash_words(const char* text, const std::uint32_t* spans, std::size_t count,
                std::uint64_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(words_of)(text, spans, count, out);
}

void hash_windows(const char* text, std::size_t count, std::size_t size,
                  std::uint64_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(windows_of)(text, count, size, out);
}

void hash_word_runs(const std::uint64_t* words, std::size_t count, int size, std::uint64_t start,
                    std::uint64_t* out) noexcept {
  HWY_DYNAMIC_DISPATCH(runs_of)(words, count, size, start, out);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
