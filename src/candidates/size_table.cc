// Computes the prefix lengths and position bounds of every size that occurs.
#include "candidates/size_table.h"

#include <algorithm>

#include "candidates/prefix_length.h"

namespace sosie {
namespace {

constexpr std::uint32_t kAnyPosition = ~std::uint32_t{0};

}  // namespace

SizeTable::SizeTable(const TokenSets& sets, const PrefixJoin& join, bool across) {
  rank_sizes(sets);
  set_ranges(join, across);
  add_differences(join);
  add_positions(join);
}

void SizeTable::rank_sizes(const TokenSets& sets) {
  ranks_.reserve(sets.size());
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    const auto size = static_cast<std::uint32_t>(sets[set].size());
    if (rows_.empty() || rows_.back().size != size) rows_.push_back({.size = size});
    ranks_.push_back(static_cast<std::uint32_t>(rows_.size() - 1));
  }
}

void SizeTable::set_ranges(const PrefixJoin& join, bool across) {
  const Measure& measure = *join.measure;
  const auto first_of = [&](std::uint64_t size) {
    const auto row = std::lower_bound(
        rows_.begin(), rows_.end(), size,
        [](const kernels::SizeRow& a, std::uint64_t least) { return a.size < least; });
    return static_cast<std::uint32_t>(row - rows_.begin());
  };
  const std::uint32_t largest = rows_.empty() ? 0 : rows_.back().size;
  for (kernels::SizeRow& row : rows_) {
    const std::uint32_t size = row.size;
    std::uint64_t prefix = size;
    std::uint64_t index_prefix = size;
    if (join.filters.prefix) {
      prefix = prefix_length(measure, size, join.threshold);
      index_prefix = across ? prefix : index_prefix_length(measure, size, join.threshold);
    }
    indexed_.push_back(static_cast<std::uint32_t>(index_prefix));
    probed_.push_back(static_cast<std::uint32_t>(prefix));
    std::uint64_t most = across ? largest : size;
    std::uint64_t least = 1;
    if (join.filters.length && size > 0) {
      least = measure.smallest_partner(size, join.threshold);
      most = std::min(most, measure.largest_partner(size, size, join.threshold));
    }
    row.least_rank = first_of(least);
    const std::uint32_t end = first_of(most + 1);
    row.most_rank = end == 0 ? 0 : end - 1;
  }
}

void SizeTable::add_differences(const PrefixJoin& join) {
  std::vector<std::size_t> starts;
  for (const kernels::SizeRow& row : rows_) {
    starts.push_back(most_different_.size());
    for (std::uint32_t other = row.least_rank; row.size > 0 && other <= row.most_rank; ++other) {
      const std::uint64_t sum = std::uint64_t{row.size} + rows_[other].size;
      const std::uint64_t shared =
          join.measure->least_overlap(row.size, rows_[other].size, join.threshold);
      most_different_.push_back(static_cast<std::uint32_t>(sum - std::min(sum, 2 * shared)));
    }
  }
  most_different_.resize(most_different_.size() + kernels::kPostingPadding);
  for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
    rows_[rank].most_different = most_different_.data() + starts[rank];
  }
}

void SizeTable::add_positions(const PrefixJoin& join) {
  std::vector<std::size_t> starts;
  for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
    starts.push_back(most_positions_.size());
    const std::uint32_t prefix = probed_[rank];
    for (std::uint32_t position = 0; position < prefix; ++position) {
      if (!join.filters.position) {
        most_positions_.push_back(kAnyPosition);
        continue;
      }
      const std::int64_t last =
          last_position(*join.measure, rows_[rank].size, position, join.threshold);
      if (last < 0) {
        probed_[rank] = position;  // no partner can have its first shared token there, or later
        break;
      }
      most_positions_.push_back(
          static_cast<std::uint32_t>(std::min<std::int64_t>(last, kAnyPosition)));
    }
  }
  for (std::size_t rank = 0; rank < rows_.size(); ++rank) {
    rows_[rank].most_positions = most_positions_.data() + starts[rank];
  }
}

}  // namespace sosie
