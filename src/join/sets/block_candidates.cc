// Looks up the keys of many rows together, band by band in key order.
#include "join/sets/block_candidates.h"

#include <algorithm>
#include <atomic>

namespace sosie {
namespace {

constexpr std::size_t kFewLookUps = 64;
constexpr std::uint64_t kMostListed = std::uint64_t{1} << 22;
constexpr std::uint64_t kShareOfListed = 32;  // share of the memory

}  // namespace

BlockCandidates::BlockCandidates(const IndexView& index, std::uint64_t memory_bytes)
    : index_(index), by_band_(index.manifest().shape().bands) {
  const std::uint64_t fit = memory_bytes / kShareOfListed / (sizeof(RowPlace) + sizeof(ItemPlace));
  most_ = std::min(kMostListed, fit) / std::max<std::size_t>(by_band_.size(), 1);
}

bool BlockCandidates::list(std::span<const std::span<const std::uint64_t>> rows, ThreadPool& pool,
                           std::span<IndexLookup::Finder> finders) {
  if (rows.size() < kFewLookUps) return false;
  std::atomic<bool> all_fit = true;
  pool.for_each(by_band_.size(), [&](unsigned worker, std::size_t band) {
    by_band_[band].clear();
    if (!all_fit || list_band(band, rows, finders[worker].buffer, by_band_[band])) return;
    all_fit = false;
  });
  if (!all_fit) return false;
  ends_.assign(rows.size() + 1, 0);
  for (const auto& band : by_band_) {
    for (const RowPlace& found : band) ++ends_[found.row + 1];
  }
  for (std::size_t row = 0; row < rows.size(); ++row) ends_[row + 1] += ends_[row];
  places_.resize(ends_.back());
  for (const auto& band : by_band_) {  // begins of rows become their ends
    for (const RowPlace& found : band) places_[ends_[found.row]++] = found.place;
  }
  return true;
}

bool BlockCandidates::list_band(std::size_t band,
                                std::span<const std::span<const std::uint64_t>> rows,
                                IndexBuffer& buffer, std::vector<RowPlace>& found) const {
  std::vector<RowKey> keys;
  keys.reserve(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!rows[row].empty()) keys.push_back({rows[row][band], static_cast<std::uint32_t>(row)});
  }
  std::sort(keys.begin(), keys.end(), [](const RowKey& a, const RowKey& b) {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  });
  return index_.find_in_band(band, keys, most_, buffer, found);
}

void BlockCandidates::copy(std::size_t row, std::vector<ItemPlace>& out) const {
  const std::size_t begin = row == 0 ? 0 : ends_[row - 1];
  out.assign(places_.begin() + static_cast<std::ptrdiff_t>(begin),
             places_.begin() + static_cast<std::ptrdiff_t>(ends_[row]));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace sosie
