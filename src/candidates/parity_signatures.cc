#include "candidates/parity_signatures.h"

#include <algorithm>
#include <bit>

#include "core/hash64.h"

namespace sosie {
namespace {

constexpr std::size_t kLeastPlanes = 2;
constexpr std::size_t kMostPlanes = 8;
constexpr std::uint64_t kTokensPerPlane = 12;
constexpr std::size_t kSetsPerShare = 4096;

std::size_t planes_for(const TokenSets& sets) {
  const std::uint64_t mean = sets.size() == 0 ? 0 : sets.tokens.size() / sets.size();
  return std::clamp(std::bit_ceil<std::size_t>(mean / kTokensPerPlane + 1), kLeastPlanes,
                    kMostPlanes);
}

}  // namespace

ParitySignatures::ParitySignatures(const TokenSets& sets, bool wanted, ThreadPool& pool) {
  if (!wanted) return;
  planes_ = planes_for(sets);
  words_.assign(sets.size() * planes_, 0);
  const std::size_t shares = (std::size_t{sets.size()} + kSetsPerShare - 1) / kSetsPerShare;
  pool.for_each(shares, [&](unsigned, std::size_t share) {
    const std::size_t end = std::min<std::size_t>(sets.size(), (share + 1) * kSetsPerShare);
    for (std::size_t set = share * kSetsPerShare; set < end; ++set) {
      std::uint32_t* const words = words_.data() + set * planes_;
      for (const std::uint32_t token : sets[static_cast<std::uint32_t>(set)]) {
        const std::uint64_t hash = mix64(token);
        words[hash >> 32 & (planes_ - 1)] ^= std::uint32_t{1} << (hash & 31);
      }
    }
  });
}

}  // namespace sosie
