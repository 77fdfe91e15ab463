// Order of shingles by rarity, learnt from the sets of hot buckets.
#include "candidates/rarity_order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sosie {

void RarityOrder::learn(std::vector<std::uint64_t> hashes) {
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::pair<std::uint32_t, std::uint64_t>> shared;  // count and shingle
  for (std::size_t begin = 0; begin < hashes.size();) {
    std::size_t end = begin + 1;
    while (end < hashes.size() && hashes[end] == hashes[begin]) ++end;
    if (end - begin > 1)
      shared.emplace_back(static_cast<std::uint32_t>(end - begin), hashes[begin]);
    begin = end;
  }
  std::sort(shared.begin(), shared.end());
  known_ = static_cast<std::uint32_t>(shared.size());
  slots_.assign(std::bit_ceil(2 * shared.size() + 1), {});
  for (std::uint32_t rank = 0; rank < known_; ++rank) {
    std::size_t at = shared[rank].second & (slots_.size() - 1);
    while (slots_[at].rank != kUnknown) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {shared[rank].second, rank};
  }
}

std::uint32_t RarityOrder::rank_of(std::uint64_t hash) const noexcept {
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].rank != kUnknown && slots_[at].hash != hash) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at].rank;
}

void RarityOrder::prefix_of(SetView set, const Measure& measure, const Rational& threshold,
                            std::vector<std::uint32_t>& ranks, RarePrefix& out) const {
  const auto length = static_cast<std::size_t>(prefix_length(measure, set.size(), threshold));
  out.set_size = static_cast<std::uint32_t>(set.size());
  out.tokens.clear();
  ranks.clear();
  for (const std::uint64_t hash : set) {
    if (out.tokens.size() == length) break;
    const std::uint32_t rank = rank_of(hash);
    if (rank == kUnknown) {
      out.tokens.push_back(static_cast<std::uint32_t>(hash >> 32));
    } else {
      ranks.push_back(rank);
    }
  }
  out.unknown = static_cast<std::uint32_t>(out.tokens.size());
  const std::size_t rest = length - out.tokens.size();
  if (rest == 0) return;
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(rest);
  std::partial_sort(ranks.begin(), end, ranks.end());
  out.tokens.insert(out.tokens.end(), ranks.begin(), end);
}

}  // namespace sosie
