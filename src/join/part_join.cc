// Joins items by the candidates measured by parts of the matching.
#include "join/part_join.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kPartPairsAtOnce = 4096;

}  // namespace

void sort_pairs(std::vector<SavedPair>& pairs) {
  const auto rows = [](const SavedPair& pair) { return std::pair(pair.left, pair.right); };
  std::sort(pairs.begin(), pairs.end(),
            [&](const SavedPair& a, const SavedPair& b) { return rows(a) < rows(b); });
  const auto end =
      std::unique(pairs.begin(), pairs.end(),
                  [&](const SavedPair& a, const SavedPair& b) { return rows(a) == rows(b); });
  pairs.erase(end, pairs.end());
}

PartJoin::PartJoin(const std::vector<SavedPair>& pairs, const std::vector<SavedPair>& far_pairs,
                   RowId items)
    : starts_(std::size_t{items} + 1), position_(items, kNoRow) {
  for (const auto* some : {&pairs, &far_pairs}) {
    for (const SavedPair& pair : *some) ++starts_[pair.left + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  candidates_.resize(starts_.back());
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  for (const auto* some : {&pairs, &far_pairs}) {
    for (const SavedPair& pair : *some) {
      candidates_[next[pair.left]++] = {pair.right, some == &pairs, pair.value};
    }
  }
}

std::uint64_t PartJoin::find(std::span<const RowId> rows, std::size_t split,
                             const EachPairs& each) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    position_[rows[i]] = static_cast<std::uint32_t>(i);
  }
  std::uint64_t measured = 0;
  std::vector<ScoredPair> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::uint64_t at = starts_[rows[i]]; at < starts_[rows[i] + 1]; ++at) {
      const Candidate& candidate = candidates_[at];
      const std::uint32_t other = position_[candidate.item];
      if (other == kNoRow) continue;
      const std::uint32_t left = std::min(static_cast<std::uint32_t>(i), other);
      const std::uint32_t right = std::max(static_cast<std::uint32_t>(i), other);
      if (split > 0 && (left < split) == (right < split)) continue;
      ++measured;
      if (candidate.is_pair) found.push_back({left, right, candidate.value});
    }
    if (found.size() < kPartPairsAtOnce) continue;
    each(found);
    found.clear();
  }
  if (!found.empty()) each(found);
  for (const RowId row : rows) position_[row] = kNoRow;
  return measured;
}

}  // namespace sosie
