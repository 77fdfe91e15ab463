// Parity signatures of sets, of one to four words, in one pass over the tokens.
#include "candidates/parity_signatures.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sosie {
namespace {

constexpr std::size_t kLeastPlanes = 2;
constexpr std::size_t kMostPlanes = 8;
constexpr std::uint64_t kTokensPerPlane = 12;
constexpr std::size_t kSetsPerShare = 4096;
// 2^64 / the golden ratio: neighbours fall far apart in the upper bits (Knuth, TAOCP 6.4).
constexpr std::uint64_t kOddFraction = 0x9e3779b97f4a7c15;

std::size_t planes_for(const TokenSets& sets) {
  const std::uint64_t mean = sets.size() == 0 ? 0 : sets.tokens.size() / sets.size();
  return std::clamp(std::bit_ceil<std::size_t>(mean / kTokensPerPlane + 1), kLeastPlanes,
                    kMostPlanes);
}

// Signature of planes / 2 words of 64 bits: they stay in registers only if their number is known.
template <std::size_t kWords>
void write_signature(TokenView tokens, std::uint32_t* out) {
  std::array<std::uint64_t, kWords> words{};
  for (const std::uint32_t token : tokens) {
    const std::uint64_t hash = token * kOddFraction;
    words[hash >> 48 & (kWords - 1)] ^= std::uint64_t{1} << (hash >> 58);
  }
  for (const std::uint64_t word : words) {
    *out++ = static_cast<std::uint32_t>(word);
    *out++ = static_cast<std::uint32_t>(word >> 32);
  }
}

void write_signature(TokenView tokens, std::size_t planes, std::uint32_t* out) {
  if (planes == 2) return write_signature<1>(tokens, out);
  if (planes == 4) return write_signature<2>(tokens, out);
  write_signature<4>(tokens, out);
}

}  // namespace

ParitySignatures::ParitySignatures(const TokenSets& sets, bool wanted, ThreadPool& pool) {
  if (!wanted) return;
  planes_ = planes_for(sets);
  words_.resize(sets.size() * planes_);
  const std::size_t shares = (std::size_t{sets.size()} + kSetsPerShare - 1) / kSetsPerShare;
  pool.for_each(shares, [&](unsigned, std::size_t share) {
    const std::size_t end = std::min<std::size_t>(sets.size(), (share + 1) * kSetsPerShare);
    for (std::size_t set = share * kSetsPerShare; set < end; ++set) {
      write_signature(sets[static_cast<std::uint32_t>(set)], planes_,
                      words_.data() + set * planes_);
    }
  });
}

}  // namespace sosie
