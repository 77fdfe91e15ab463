// Folds and classifies 64 bytes of UTF-8. Kernels include this file once for each target, after
// highway.h, so it has no include guard around all of its contents (as in Highway's own -inl.h
// files).
#include <bit>

#include "kernels/compress_64-inl.h"
#include "kernels/utf8_letters.h"

#if defined(SOSIE_KERNELS_UTF8_BLOCK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SOSIE_KERNELS_UTF8_BLOCK_INL
#undef SOSIE_KERNELS_UTF8_BLOCK_INL
#else
#define SOSIE_KERNELS_UTF8_BLOCK_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Up to 64 bytes, starting at the beginning of a character. Masks have one bit per byte.
struct Utf8Block {
  std::uint64_t words = 0;   // in a word
  std::uint64_t breaks = 0;  // start of a character that is its own word, or just after it
  std::uint64_t blanks = 0;  // bytes of white space
  std::size_t size = 0;      // number of bytes folded
  bool stopped = false;      // by an odd character: the next one or the one after it
};

// Classes of the bytes before characters are decoded.
struct Utf8Bytes {
  std::uint64_t words = 0;  // ASCII
  std::uint64_t blanks = 0;
  std::uint64_t continuations = 0;
  std::uint64_t leads_of_two = 0;
  std::uint64_t leads_of_three = 0;
  std::uint64_t leads_of_four = 0;

  [[nodiscard]] std::uint64_t high() const {
    return continuations | leads_of_two | leads_of_three | leads_of_four;
  }
  void keep(std::uint64_t valid) {
    words &= valid;
    blanks &= valid;
    continuations &= valid;
    leads_of_two &= valid;
    leads_of_three &= valid;
    leads_of_four &= valid;
  }
  // Positions at which continuation bytes are missing or superfluous.
  [[nodiscard]] std::uint64_t ill_formed() const {
    const std::uint64_t longer = leads_of_three | leads_of_four;
    return ((leads_of_two | longer) << 1 | longer << 2 | leads_of_four << 3) ^ continuations;
  }
};

// Leads, by the kind of their characters.
struct Utf8Kinds {
  std::uint64_t words = 0;  // and singles
  std::uint64_t singles = 0;
  std::uint64_t blanks = 0;
  std::uint64_t odd = 0;

  void add(std::uint8_t kind, std::uint64_t lead) {
    if (kind == Utf8Letters::word || kind == Utf8Letters::single) words |= lead;
    if (kind == Utf8Letters::single) singles |= lead;
    if (kind == Utf8Letters::blank) blanks |= lead;
    if (kind == Utf8Letters::odd) odd |= lead;
  }
};

// The code point of a three-byte character, whose continuation bytes must be valid.
HWY_INLINE std::uint32_t code_point_of_three(const std::uint8_t* at) {
  return (at[0] & 0x0FU) << 12 | (at[1] & 0x3FU) << 6 | (at[2] & 0x3FU);
}

// The kind of a four-byte character, whose continuation bytes must be valid.
HWY_INLINE std::uint8_t kind_of_four(const std::uint8_t* at, const Utf8Letters& letters) {
  const std::uint32_t c =
      (at[0] & 0x0FU) << 18 | (at[1] & 0x3FU) << 12 | (at[2] & 0x3FU) << 6 | (at[3] & 0x3FU);
  if (c < 0x10000 || c > 0x10FFFF) return Utf8Letters::odd;
  const std::uint16_t properties =
      letters.properties[std::size_t{letters.blocks[c >> 6]} << 6 | (c & 63)];
  return properties > Utf8Letters::single ? std::uint8_t{Utf8Letters::odd}
                                          : static_cast<std::uint8_t>(properties);
}

// Adds four-byte characters, and three-byte characters whose kind does not follow from their lead.
HWY_INLINE void look_up_long(const std::uint8_t* in, std::uint64_t threes, std::uint64_t fours,
                             const Utf8Letters& letters, Utf8Kinds& kinds) {
  std::uint64_t of_kind[Utf8Letters::mixed] = {};  // no branches, because kana and marks alternate
  for (; threes != 0; threes &= threes - 1) {
    const int at = std::countr_zero(threes);
    of_kind[letters.kinds[code_point_of_three(in + at)]] |= std::uint64_t{1} << at;
  }
  for (; fours != 0; fours &= fours - 1) {
    const int at = std::countr_zero(fours);
    of_kind[kind_of_four(in + at, letters)] |= std::uint64_t{1} << at;
  }
  kinds.words |= of_kind[Utf8Letters::word] | of_kind[Utf8Letters::single];
  kinds.singles |= of_kind[Utf8Letters::single];
  kinds.blanks |= of_kind[Utf8Letters::blank];
  kinds.odd |= of_kind[Utf8Letters::odd];
}

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

HWY_INLINE Utf8Bytes fold_bytes(const std::uint8_t* in, std::uint8_t* out) {
  Utf8Bytes bytes;
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint8_t c = in[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    const bool blank = c == ' ' || c == 0 || static_cast<std::uint8_t>(c - '\t') < 5;
    const bool upper = static_cast<std::uint8_t>(c - 'A') < 26;
    const auto lower = static_cast<std::uint8_t>(upper ? c + 32 : c);
    out[i] = blank ? ' ' : lower;
    if (blank) bytes.blanks |= bit;
    if (static_cast<std::uint8_t>(lower - 'a') < 26 || static_cast<std::uint8_t>(c - '0') < 10 ||
        c == '_') {
      bytes.words |= bit;
    }
    if (c >= 0x80 && c < 0xC0) bytes.continuations |= bit;
    if (c >= 0xC0 && c < 0xE0) bytes.leads_of_two |= bit;
    if (c >= 0xE0 && c < 0xF0) bytes.leads_of_three |= bit;
    if (c >= 0xF0) bytes.leads_of_four |= bit;
  }
  return bytes;
}

HWY_INLINE Utf8Kinds kinds_of(const std::uint8_t* in, const Utf8Bytes& bytes,
                              const Utf8Letters& letters, std::uint8_t* out,
                              std::uint64_t& looked_up) {
  Utf8Kinds kinds;
  for (std::uint64_t left = bytes.leads_of_two; left != 0; left &= left - 1) {
    const int at = std::countr_zero(left);
    const Utf8Letters::Lead& lead = letters.leads[in[at] & 0x1FU];
    const unsigned low_bits = in[at + 1] & 0x3FU;
    out[at] = lead.first[low_bits];
    if (at < 63) out[at + 1] = lead.second[low_bits];
    kinds.add(lead.kind[low_bits], std::uint64_t{1} << at);
  }
  looked_up = bytes.leads_of_three | bytes.leads_of_four;
  return kinds;
}

#else

HWY_INLINE Utf8Bytes fold_bytes(const std::uint8_t* in, std::uint8_t* out) {
  const hn::CappedTag<std::uint8_t, 64> d;
  Utf8Bytes bytes;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, in + i);
    const auto blank =
        hn::Or(in_range(d, v, '\t', 5), hn::Or(hn::Eq(v, hn::Set(d, ' ')), hn::Eq(v, hn::Zero(d))));
    const auto lower = hn::Or(v, hn::IfThenElseZero(in_range(d, v, 'A', 26), hn::Set(d, 0x20)));
    hn::StoreU(hn::IfThenElse(blank, hn::Set(d, ' '), lower), d, out + i);
    const auto word = hn::Or(hn::Or(in_range(d, lower, 'a', 26), in_range(d, v, '0', 10)),
                             hn::Eq(v, hn::Set(d, '_')));
    bytes.words |= bits_of(d, word) << i;
    bytes.blanks |= bits_of(d, blank) << i;
    const std::uint64_t high = bits_of(d, in_range(d, v, 0x80, 128));
    if (high == 0) continue;
    bytes.continuations |= bits_of(d, in_range(d, v, 0x80, 64)) << i;
    bytes.leads_of_two |= bits_of(d, in_range(d, v, 0xC0, 32)) << i;
    bytes.leads_of_three |= bits_of(d, in_range(d, v, 0xE0, 16)) << i;
    bytes.leads_of_four |= bits_of(d, in_range(d, v, 0xF0, 16)) << i;
  }
  return bytes;
}

// A mask of lanes from the bits of the 64 bytes that start at `i`.
template <class D>
HWY_INLINE auto mask_at(D d, std::uint64_t bits, std::size_t i) {
  std::uint8_t bytes[8];
  bits >>= i;
  hwy::CopyBytes<8>(&bits, bytes);
  return hn::LoadMaskBits(d, bytes);
}

#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86

// Looks up 64 bytes with a single instruction, by their low bits.
template <class V>
using Places = V;

template <class D, class V>
HWY_INLINE Places<V> places_of(D /*d*/, V bytes) {
  return bytes;
}

template <class D, class V>
HWY_INLINE V look_up(D d, const std::array<std::uint8_t, 64>& table, const Places<V>& places) {
  return V{_mm512_permutexvar_epi8(places.raw, hn::Load(d, table.data()).raw)};
}

#else

// Indices into a table of 64 bytes, one vector for each quarter of the table; an index that belongs
// to another quarter has its top bit set.
template <class V>
struct Places {
  V from[4];
};

// Indices into the quarter that begins at `first`.
template <class D, class V>
HWY_INLINE V places_in_quarter(D d, V low_bits, std::uint8_t first) {
  const V place = hn::SaturatedAdd(hn::Xor(low_bits, hn::Set(d, first)), hn::Set(d, 0x70));
#if HWY_ARCH_X86
  return place;  // only the low four bits of 0x70 to 0x7F are used
#else
  return hn::And(place, hn::Set(d, 0x8F));  // for NEON, 0x10 to 0x7F are outside the table
#endif
}

template <class D, class V>
HWY_INLINE Places<V> places_of(D d, V bytes) {
  const V low_bits = hn::And(bytes, hn::Set(d, 0x3F));
  return {{places_in_quarter(d, low_bits, 0x00), places_in_quarter(d, low_bits, 0x10),
           places_in_quarter(d, low_bits, 0x20), places_in_quarter(d, low_bits, 0x30)}};
}

template <class D, class V>
HWY_INLINE V look_up(D d, const std::array<std::uint8_t, 64>& table, const Places<V>& places) {
  V found = hn::Zero(d);
  for (std::size_t q = 0; q < 4; ++q) {
    found = hn::Or(
        found, hn::TableLookupBytesOr0(hn::LoadDup128(d, table.data() + 16 * q), places.from[q]));
  }
  return found;
}

#endif

// Folds two-byte letters. All letters with the same lead are folded together, because a text has
// few different leads.
HWY_INLINE void fold_twos(const std::uint8_t* in, std::uint64_t leads, const Utf8Letters& letters,
                          std::uint8_t* out, std::uint8_t* kinds) {
  const hn::CappedTag<std::uint8_t, 64> d;
  using V = hn::VFromD<decltype(d)>;
  while (leads != 0) {
    const std::uint8_t lead = in[std::countr_zero(leads)];
    const Utf8Letters::Lead& table = letters.leads[lead & 0x1FU];
    std::uint64_t same = 0;
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
      same |= bits_of(d, hn::Eq(hn::LoadU(d, in + i), hn::Set(d, lead))) << i;
    }
    same &= leads;
    leads &= ~same;
    for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
      const Places<V> behind = places_of(d, hn::LoadU(d, in + i + 1));
      const Places<V> here = places_of(d, hn::LoadU(d, in + i));
      const auto is_first = mask_at(d, same, i);
      const auto is_second = mask_at(d, same << 1, i);
      const V folded =
          hn::IfThenElse(is_first, look_up(d, table.first, behind), hn::LoadU(d, out + i));
      hn::StoreU(hn::IfThenElse(is_second, look_up(d, table.second, here), folded), d, out + i);
      hn::Store(hn::IfThenElse(is_first, look_up(d, table.kind, behind), hn::Load(d, kinds + i)), d,
                kinds + i);
    }
  }
}

HWY_INLINE Utf8Kinds kinds_of(const std::uint8_t* in, const Utf8Bytes& bytes,
                              const Utf8Letters& letters, std::uint8_t* out,
                              std::uint64_t& looked_up) {
  const hn::CappedTag<std::uint8_t, 64> d;
  alignas(64) std::uint8_t kinds[64];
  const auto of_three = hn::LoadDup128(d, letters.kind_of_three.data());
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto low_bits = hn::And(hn::LoadU(d, in + i), hn::Set(d, 0x0F));
    hn::Store(hn::IfThenElse(mask_at(d, bytes.leads_of_three, i),
                             hn::TableLookupBytes(of_three, low_bits),
                             hn::Set(d, std::uint8_t{Utf8Letters::separator})),
              d, kinds + i);
  }
  fold_twos(in, bytes.leads_of_two, letters, out, kinds);
  Utf8Kinds found;
  looked_up = bytes.leads_of_four;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const auto v = hn::Load(d, kinds + i);
    const auto are = [&](Utf8Letters::Kind kind) HWY_ATTR {
      return bits_of(d, hn::Eq(v, hn::Set(d, std::uint8_t{kind}))) << i;
    };
    found.blanks |= are(Utf8Letters::blank);
    found.words |= are(Utf8Letters::word);
    found.singles |= are(Utf8Letters::single);
    found.odd |= are(Utf8Letters::odd);
    looked_up |= are(Utf8Letters::mixed);
  }
  found.words |= found.singles;
  return found;
}

#endif

HWY_INLINE std::uint64_t first_bits(std::size_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// Limits the number of bytes consumed: the last character is left for the next block, because the
// first character there may combine with it. `valid`: number of bytes of text in the block;
// `goes_on`: more bytes follow.
HWY_INLINE void limit_block(std::uint64_t continuations, std::uint64_t odd, std::size_t valid,
                            bool goes_on, Utf8Block& block) {
  const std::uint64_t begins = ~continuations & first_bits(valid);
  block.size = goes_on ? static_cast<std::size_t>(63 - std::countl_zero(begins | 1)) : valid;
  const auto at = static_cast<std::size_t>(std::countr_zero(odd));
  if (at > block.size && block.size > 0) return;
  block.size = static_cast<std::size_t>(63 - std::countl_zero((begins & first_bits(at)) | 1));
  block.stopped = true;
}

// Folds the block at `in` to `out` and classifies it. Writes 64 bytes, of which only the first
// block.size are valid. `size`: number of remaining bytes of text, at least one; 64 more bytes must
// be readable.
HWY_INLINE Utf8Block fold_utf8_block(const std::uint8_t* in, std::size_t size,
                                     const Utf8Letters& letters, std::uint8_t* out) {
  Utf8Bytes bytes = fold_bytes(in, out);
  const std::size_t valid = HWY_MIN(size, 64);
  if (valid < 64) bytes.keep(first_bits(valid));
  Utf8Block block{bytes.words, 0, bytes.blanks, valid, false};
  if (bytes.high() == 0) {
    if (size > 64 && in[64] >= 0x80) block.size = 63;
    return block;
  }
  std::uint64_t looked_up = 0;
  Utf8Kinds kinds = kinds_of(in, bytes, letters, out, looked_up);
  std::uint64_t odd = bytes.ill_formed();
  if (odd != 0) looked_up &= first_bits(static_cast<std::size_t>(std::countr_zero(odd)));
  look_up_long(in, looked_up & bytes.leads_of_three, looked_up & bytes.leads_of_four, letters,
               kinds);
  odd |= kinds.odd;
  const std::uint64_t of_two_or_more =
      bytes.leads_of_two | bytes.leads_of_three | bytes.leads_of_four;
  const std::uint64_t of_three_or_more = bytes.leads_of_three | bytes.leads_of_four;
  const auto all_bytes = [&](std::uint64_t leads) {
    return leads | (leads & of_two_or_more) << 1 | (leads & of_three_or_more) << 2 |
           (leads & bytes.leads_of_four) << 3;
  };
  block.words |= all_bytes(kinds.words);
  block.blanks |= all_bytes(kinds.blanks);
  for (std::uint64_t left = kinds.blanks; left != 0; left &= left - 1) {
    out[std::countr_zero(left)] = ' ';
  }
  limit_block(bytes.continuations, odd, valid, size >= 64, block);
  // The lead at the end of the block may be ill-formed, so a character that seems to begin there
  // does not separate words.
  const std::uint64_t singles = kinds.singles & first_bits(block.size);
  block.breaks = singles | (singles & bytes.leads_of_two) << 2 |
                 (singles & bytes.leads_of_three) << 3 | (singles & bytes.leads_of_four) << 4;
  return block;
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
