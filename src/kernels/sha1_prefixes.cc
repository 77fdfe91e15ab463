// SHA-1 of many items at a time, one item in each lane.
#include "kernels/sha1_prefixes.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sha1_prefixes.cc"
#include "hwy/foreach_target.h"  // before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sosie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kMostLanes = 16;
constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kBlockWords = 16;
constexpr std::size_t kLengthBytes = 8;  // ends the last block, after a byte 0x80

using Words = hn::CappedTag<std::uint32_t, kMostLanes>;
using Vector = hn::VFromD<Words>;

std::uint32_t big_endian(std::uint32_t word) {
  return (word << 24) | ((word & 0xff00U) << 8) | ((word >> 8) & 0xff00U) | (word >> 24);
}

std::size_t blocks_of(std::size_t size) {
  return (size + 1 + kLengthBytes + kBlockBytes - 1) / kBlockBytes;
}

// Writes block `number` of a padded item into one lane of `words`.
void place_block(const char* item, std::size_t size, std::size_t number, std::uint32_t* words,
                 std::size_t lanes) {
  unsigned char block[kBlockBytes] = {};
  const std::size_t begin = number * kBlockBytes;
  const std::size_t rest = begin < size ? std::min(size - begin, kBlockBytes) : 0;
  if (rest != 0) std::memcpy(block, item + begin, rest);
  if (size >= begin && rest < kBlockBytes) block[rest] = 0x80;
  if (number + 1 == blocks_of(size)) {
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
      block[kBlockBytes - 1 - i] = static_cast<unsigned char>((std::uint64_t{size} * 8) >> (8 * i));
    }
  }
  std::uint32_t word[kBlockWords];
  std::memcpy(word, block, kBlockBytes);
  for (std::size_t i = 0; i < kBlockWords; ++i) words[i * lanes] = big_endian(word[i]);
}

template <int kPhase>
HWY_INLINE Vector mixed(Vector b, Vector c, Vector d) {
  if constexpr (kPhase == 0) return hn::Xor(d, hn::And(b, hn::Xor(c, d)));
  if constexpr (kPhase == 2) return hn::Or(hn::And(b, c), hn::And(d, hn::Or(b, c)));
  return hn::Xor(hn::Xor(b, c), d);
}

// Twenty rounds of a phase on the five words of `state`; `w` contains the last sixteen words.
template <int kPhase>
HWY_INLINE void twenty_rounds(Vector* w, Vector* state) {
  constexpr std::uint32_t kConstants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
  const Vector constant = hn::Set(Words(), kConstants[kPhase]);
  Vector a = state[0];
  Vector b = state[1];
  Vector c = state[2];
  Vector d = state[3];
  Vector e = state[4];
  HWY_UNROLL(20)
  for (int round = 20 * kPhase; round < 20 * kPhase + 20; ++round) {
    Vector& word = w[round % 16];
    if (round >= 16) {
      word = hn::RotateRight<31>(hn::Xor(hn::Xor(w[(round + 13) % 16], w[(round + 8) % 16]),
                                         hn::Xor(w[(round + 2) % 16], word)));
    }
    const Vector sum = hn::Add(hn::Add(hn::Add(e, constant), word), mixed<kPhase>(b, c, d));
    e = d;
    d = c;
    c = hn::RotateRight<2>(b);
    b = a;
    a = hn::Add(hn::RotateRight<27>(a), sum);
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
  state[4] = e;
}

HWY_INLINE void compress(const std::uint32_t* words, Vector* state) {
  const Words d;
  Vector w[kBlockWords];
  for (std::size_t i = 0; i < kBlockWords; ++i) w[i] = hn::LoadU(d, words + i * hn::Lanes(d));
  Vector next[5] = {state[0], state[1], state[2], state[3], state[4]};
  twenty_rounds<0>(w, next);
  twenty_rounds<1>(w, next);
  twenty_rounds<2>(w, next);
  twenty_rounds<3>(w, next);
  for (int i = 0; i < 5; ++i) state[i] = hn::Add(state[i], next[i]);
}

// Digests of as many items as there are lanes, or fewer. A lane continues to compute after its item
// has ended, but keeps the item's digest.
void prefixes_of_lanes(const char* const* items, const std::size_t* sizes, std::size_t count,
                       std::uint64_t* prefixes) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint32_t words[kBlockWords * kMostLanes] = {};
  std::uint32_t first[kMostLanes] = {};
  std::uint32_t second[kMostLanes] = {};
  Vector state[5] = {hn::Set(d, 0x67452301U), hn::Set(d, 0xefcdab89U), hn::Set(d, 0x98badcfeU),
                     hn::Set(d, 0x10325476U), hn::Set(d, 0xc3d2e1f0U)};
  const std::size_t most = blocks_of(*std::max_element(sizes, sizes + count));
  for (std::size_t block = 0; block < most; ++block) {
    for (std::size_t i = 0; i < count; ++i) {
      if (block < blocks_of(sizes[i])) place_block(items[i], sizes[i], block, words + i, lanes);
    }
    compress(words, state);
    hn::StoreU(state[0], d, first);
    hn::StoreU(state[1], d, second);
    for (std::size_t i = 0; i < count; ++i) {
      if (block + 1 != blocks_of(sizes[i])) continue;
      prefixes[i] = (std::uint64_t{big_endian(second[i])} << 32) | big_endian(first[i]);
    }
  }
}

void prefixes_of_items(const char* const* items, const std::size_t* sizes, std::size_t count,
                       std::uint64_t* prefixes) {
  const std::size_t lanes = hn::Lanes(Words());
  for (std::size_t i = 0; i < count; i += lanes) {
    prefixes_of_lanes(items + i, sizes + i, std::min(lanes, count - i), prefixes + i);
  }
}

}  // namespace
}  // namespace sosie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sosie::kernels {
namespace {

HWY_EXPORT(prefixes_of_items);

}  // namespace

void sha1_prefixes(const char* const* items, const std::size_t* sizes, std::size_t count,
                   std::uint64_t* prefixes) noexcept {
  HWY_DYNAMIC_DISPATCH(prefixes_of_items)(items, sizes, count, prefixes);
}

}  // namespace sosie::kernels
#endif  // HWY_ONCE
