#include "candidates/multi_index.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kWordBits = 64;

}  // namespace

MultiIndex::MultiIndex(const BitColumn& column, std::size_t radius, ThreadPool& pool)
    : column_(column) {
  const std::size_t count = std::min(radius + 1, column.bits);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = column.bits * i / count;
    const std::size_t end = column.bits * (i + 1) / count;
    blocks_.push_back({begin, std::min(end - begin, kWordBits), {}, {}});
  }
  pool.for_each(count, [&](unsigned /*worker*/, std::size_t i) { fill(blocks_[i]); });
}

std::uint64_t MultiIndex::value_of(const Block& block, std::uint32_t row) const noexcept {
  const std::uint64_t* words = column_.row(row);
  const std::size_t word = block.begin / kWordBits;
  const std::size_t shift = block.begin % kWordBits;
  std::uint64_t value = words[word] >> shift;
  if (shift != 0 && word + 1 < column_.words) value |= words[word + 1] << (kWordBits - shift);
  return block.size == kWordBits ? value : value & ((std::uint64_t{1} << block.size) - 1);
}

void MultiIndex::fill(Block& block) const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries(column_.rows);
  for (std::uint32_t row = 0; row < column_.rows; ++row) entries[row] = {value_of(block, row), row};
  std::sort(entries.begin(), entries.end());
  block.rows.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size();) {
    const std::size_t begin = i;
    for (; i < entries.size() && entries[i].first == entries[begin].first; ++i) {
      block.rows.push_back(entries[i].second);
    }
    if (i - begin < 2) continue;
    block.stops.push_back(static_cast<std::uint32_t>(begin));
    block.stops.push_back(static_cast<std::uint32_t>(i));
  }
}

std::uint64_t MultiIndex::pair_count() const noexcept {
  std::uint64_t pairs = 0;
  for (const Block& block : blocks_) {
    for (std::size_t i = 0; i < block.stops.size(); i += 2) {
      const std::uint64_t rows = block.stops[i + 1] - block.stops[i];
      pairs += rows * (rows - 1) / 2;
    }
  }
  return pairs;
}

void MultiIndex::for_each_in_block(std::size_t block, const Each& each) const {
  const std::vector<std::uint32_t>& stops = blocks_[block].stops;
  const std::span<const std::uint32_t> rows = blocks_[block].rows;
  for (std::size_t i = 0; i < stops.size(); i += 2) {
    for (std::uint32_t at = stops[i]; at + 1 < stops[i + 1]; ++at) {
      each(rows[at], rows.subspan(at + 1, stops[i + 1] - at - 1));
    }
  }
}

bool MultiIndex::met_before(std::size_t block, std::uint32_t a, std::uint32_t b) const noexcept {
  return std::any_of(
      blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(block),
      [&](const Block& before) { return value_of(before, a) == value_of(before, b); });
}

}  // namespace sosie
