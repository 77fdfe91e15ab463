// Index for an exact join: a list for each shared token, bounds for each size, parity signatures.
#include "candidates/prefix_lists.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "candidates/prefix_length.h"

namespace sosie {
namespace {

constexpr std::uint32_t kAnyPosition = ~std::uint32_t{0};

constexpr std::size_t kLeastPlanes = 2;
constexpr std::size_t kMostPlanes = 8;
constexpr std::uint64_t kTokensPerPlane = 12;
constexpr std::size_t kSetsPerShare = 4096;
// 2^64 / golden ratio: neighbouring numbers get very different upper bits (Knuth, TAOCP 6.4).
constexpr std::uint64_t kOddFraction = 0x9e3779b97f4a7c15;

std::size_t planes_for(const TokenSets& sets) {
  const std::uint64_t mean = sets.size() == 0 ? 0 : sets.tokens.size() / sets.size();
  return std::clamp(std::bit_ceil<std::size_t>(mean / kTokensPerPlane + 1), kLeastPlanes,
                    kMostPlanes);
}

// A signature of planes / 2 words of 64 bits, which stay in registers only if their number is known
// at compile time.
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
        probed_[rank] = position;  // no partner has its first shared token there or later
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

PrefixLists::PrefixLists(const TokenSets& sets, const PrefixJoin& join, bool across,
                         const SizeTable& sizes)
    : sets_(sets), join_(join), across_(across), sizes_(sizes) {
  place_lists();
  fill_lists();
}

std::uint32_t PrefixLists::list_at(std::uint64_t posting) const noexcept {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), posting);
  return static_cast<std::uint32_t>(after - starts_.begin() - 1);
}

// Number of a set's first tokens that are indexed, and number that are looked up. Between two
// collections, each set is used for only one of these.
PrefixLists::Prefix PrefixLists::prefix_of(std::uint32_t set) const noexcept {
  const std::uint32_t rank = sizes_.ranks()[set];
  Prefix prefix{sizes_.indexed(rank), sizes_.probed(rank)};
  if (!across_) return prefix;
  const Place place = sets_.places[set];
  if (place >= join_.scope.left_end) prefix.indexed = 0;
  if (place < join_.scope.right_begin) prefix.probed = 0;
  return prefix;
}

// Calls each(number of the list, posting) for the tokens of a prefix that may have a list.
template <class Each>
void PrefixLists::for_each_posting(std::uint32_t set, Prefix prefix, const Each& each) const {
  const TokenView tokens = sets_[set].first(std::max(prefix.indexed, prefix.probed));
  for (std::uint32_t position = 0; position < tokens.size(); ++position) {
    if (tokens[position] < sets_.first_shared) continue;
    std::uint32_t place = position;
    if (position < prefix.indexed) place |= kernels::kIndexed;
    if (position < prefix.probed) place |= kernels::kProbes;
    each(tokens[position] - sets_.first_shared, kernels::Posting{set, place});
  }
}

void PrefixLists::place_lists() {
  const std::uint32_t lists = sets_.universe - sets_.first_shared;
  std::vector<std::uint32_t> lengths(lists, 0);
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    for_each_posting(set, prefix_of(set),
                     [&](std::uint32_t list, kernels::Posting) { ++lengths[list]; });
  }
  starts_.reserve(std::size_t{lists} + 1);
  starts_.push_back(0);
  for (const std::uint32_t length : lengths) {
    starts_.push_back(starts_.back() + (length > 1 ? length : 0));
  }
}

void PrefixLists::fill_lists() {
  postings_.resize(starts_.back() + kernels::kPostingPadding);
  constexpr std::uint64_t kNoList = ~std::uint64_t{0};
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t list = 0; list < lists(); ++list) {
    if (starts_[list] == starts_[list + 1]) next[list] = kNoList;
  }
  const auto fill = [&](std::uint32_t list, kernels::Posting posting) {
    std::uint64_t& to = next[list];
    if (to == kNoList) return;
    indexed_ += posting.place >> 31;  // kIndexed
    postings_[to++] = posting;
  };
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    Prefix prefix = prefix_of(set);
    if (across_) prefix.probed = 0;
    for_each_posting(set, prefix, fill);
  }
  for (std::uint32_t set = 0; across_ && set < sets_.size(); ++set) {
    Prefix prefix = prefix_of(set);
    prefix.indexed = 0;
    for_each_posting(set, prefix, fill);
  }
}

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
