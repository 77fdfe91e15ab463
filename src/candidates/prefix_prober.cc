#include "candidates/prefix_prober.h"

#include <algorithm>

#include "candidates/size_bounds.h"
#include "hwy/cache_control.h"

namespace sosie {
namespace {

constexpr std::uint32_t kNoSet = ~std::uint32_t{0};
// What so many read first fits into the first-level cache.
constexpr std::size_t kLookupsAtOnce = 128;

// By position of the first shared token, see SizeBounds.
void set_most_positions(const PrefixJoin& join, std::uint32_t size,
                        std::vector<std::uint32_t>& most_positions) {
  const std::uint64_t prefix =
      join.filters.prefix ? prefix_length(*join.measure, size, join.threshold) : size;
  most_positions.assign(prefix, kNoSet);
  if (!join.filters.position) return;
  for (std::uint32_t position = 0; position < prefix; ++position) {
    const std::int64_t last = last_position(*join.measure, size, position, join.threshold);
    if (last < 0) {
      most_positions.resize(position);
      return;
    }
    most_positions[position] = static_cast<std::uint32_t>(std::min<std::int64_t>(last, kNoSet));
  }
}

}  // namespace

void SizeBounds::set(const PrefixJoin& join, std::uint32_t new_size, std::uint32_t largest) {
  if (size == new_size) return;
  size = new_size;
  const Measure& measure = *join.measure;
  least_size = 1;
  most_size = largest;
  if (join.filters.length) {
    least_size = static_cast<std::uint32_t>(measure.smallest_partner(size, join.threshold));
    most_size = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(largest, measure.largest_partner(size, size, join.threshold)));
  }
  most_different.clear();
  for (std::uint64_t other = least_size; other <= most_size; ++other) {
    const std::uint64_t shared = measure.least_overlap(size, other, join.threshold);
    const std::uint64_t sum = size + other;
    most_different.push_back(static_cast<std::uint32_t>(sum - std::min(sum, 2 * shared)));
  }
  most_different.push_back(0);  // a slot to read where no partner has a size that is allowed
  set_most_positions(join, size, most_positions);
}

PrefixProber::PrefixProber(const TokenSets& sets, const PrefixJoin& join, bool across,
                           const PrefixPostings& index, const kernels::Postings& postings,
                           const ParitySignatures& signatures)
    : sets_(sets),
      join_(join),
      across_(across),
      index_(index),
      postings_(postings),
      signatures_(signatures),
      largest_(static_cast<std::uint32_t>(sets[sets.size() - 1].size())),
      last_probe_(sets.size(), kNoSet),
      passed_(sets.universe - sets.first_shared, 0) {}

std::uint32_t PrefixProber::probe(std::uint32_t begin, std::uint32_t end,
                                  std::vector<VerifiedPair>& out) {
  const auto size = static_cast<std::uint32_t>(sets_[begin].size());
  if (size == 0) return begin + 1;
  sizes_.set(join_, size, across_ ? largest_ : size);
  const std::size_t positions = sizes_.most_positions.size();
  if (positions > kLookupsAtOnce) {
    probe_in_parts(begin, out);
    return begin + 1;
  }
  std::uint32_t set_end = begin + 1;
  while (set_end < end && sets_[set_end].size() == size &&
         (set_end - begin + 1) * positions <= kLookupsAtOnce) {
    ++set_end;
  }
  prepare(begin, set_end, 0, positions);
  for (std::size_t i = 0; i < lookups_.size();) {
    const std::uint32_t set = lookups_[i].set;
    for (; i < lookups_.size() && lookups_[i].set == set; ++i) look_up(lookups_[i]);
    verify(set, out);
  }
  return set_end;
}

const JoinCounts& PrefixProber::counts() noexcept {
  counts_.length = scanned_.length;
  counts_.position = scanned_.position;
  counts_.suffix = scanned_.suffix;
  counts_.signature = scanned_.signature;
  return counts_;
}

// For a set with many tokens to look up.
void PrefixProber::probe_in_parts(std::uint32_t set, std::vector<VerifiedPair>& out) {
  const std::size_t positions = sizes_.most_positions.size();
  for (std::size_t first = 0; first < positions; first += kLookupsAtOnce) {
    prepare(set, set + 1, first, std::min(positions, first + kLookupsAtOnce));
    for (const Lookup& lookup : lookups_) look_up(lookup);
  }
  verify(set, out);
}

// Of those at positions from `first` to before `last` that have a list.
template <class Each>
void PrefixProber::for_each_token(std::uint32_t set, std::size_t first, std::size_t last,
                                  const Each& each) const {
  if (across_ && sets_.places[set] < join_.scope.right_begin) return;
  const TokenView tokens = sets_[set];
  for (std::size_t position = first; position < last; ++position) {
    const std::uint32_t token = tokens[position];
    if (token >= sets_.first_shared) each(static_cast<std::uint32_t>(position), token);
  }
}

// Lists what is to be looked up for some sets, all of one size. What a lookup reads lies apart from
// what others read: it is fetched for all of them before it is needed.
void PrefixProber::prepare(std::uint32_t begin, std::uint32_t end, std::size_t first,
                           std::size_t last) {
  for (std::uint32_t set = begin; set < end; ++set) {
    for_each_token(set, first, last, [&](std::uint32_t, std::uint32_t token) {
      index_.prefetch(token);
      hwy::Prefetch(&passed_[token - sets_.first_shared]);
    });
  }
  lookups_.clear();
  for (std::uint32_t set = begin; set < end; ++set) {
    for_each_token(set, first, last, [&](std::uint32_t position, std::uint32_t token) {
      PrefixPostings::List list = index_.list_of(token);
      list.begin += passed_[token - sets_.first_shared];
      if (list.begin == list.end) return;
      lookups_.push_back({set, position, token, list});
      prefetch(list.begin);
    });
  }
}

void PrefixProber::prefetch(std::uint64_t posting) const {
  hwy::Prefetch(postings_.sizes + posting);
  hwy::Prefetch(postings_.sets + posting);
  hwy::Prefetch(postings_.positions + posting);
  for (std::size_t plane = 0; plane < postings_.planes; ++plane) {
    hwy::Prefetch(postings_.signatures + plane * postings_.stride + posting);
  }
}

void PrefixProber::look_up(const Lookup& lookup) {
  const PrefixPostings::List list = without_small_sets(lookup);
  kernels::PostingBounds bounds;
  bounds.set_end = across_ ? kNoSet : lookup.set;
  bounds.least_size = sizes_.least_size;
  bounds.most_size = sizes_.most_size;
  bounds.most_position = sizes_.most_positions[lookup.position];
  bounds.size = sizes_.size;
  bounds.position = lookup.position;
  bounds.by_suffix = join_.filters.suffix;
  bounds.most_different = sizes_.most_different.data();
  bounds.table_begin = sizes_.least_size;
  bounds.signature = signatures_.planes() > 0 ? signatures_[lookup.set] : nullptr;
  survivors_.resize(std::max<std::size_t>(survivors_.size(), list.end - list.begin));
  const std::size_t count =
      kernels::scan_postings(postings_, list.begin, list.end, bounds, scanned_, survivors_.data());
  for (std::size_t i = 0; i < count; ++i) add(lookup, list.begin + survivors_[i]);
}

// Sets come by ascending size: what is too small for one is so for all that follow.
PrefixPostings::List PrefixProber::without_small_sets(const Lookup& lookup) {
  PrefixPostings::List list = lookup.list;
  const std::uint32_t* const sizes = postings_.sizes;
  if (sizes[list.begin] >= sizes_.least_size) return list;
  const auto first = std::lower_bound(sizes + list.begin, sizes + list.end, sizes_.least_size);
  list.begin = static_cast<std::uint64_t>(first - sizes);
  passed_[lookup.token - sets_.first_shared] =
      static_cast<std::uint32_t>(list.begin - index_.list_of(lookup.token).begin);
  return list;
}

// Takes a posting for a candidate, unless its set is one already.
void PrefixProber::add(const Lookup& lookup, std::uint64_t posting) {
  const std::uint32_t set = lookup.set;
  const std::uint32_t other = postings_.sets[posting];
  if (last_probe_[other] == set) return;
  last_probe_[other] = set;
  const auto [left, right] = std::minmax(sets_.places[set], sets_.places[other]);
  if (left >= join_.scope.left_end || right < join_.scope.right_begin) return;
  const TokenView tokens = sets_[set];
  const TokenView others = sets_[other];
  // All tokens before the two positions are unshared, and the one there is shared.
  const std::uint32_t other_position = postings_.positions[posting];
  candidates_.push_back(other);
  tasks_.push_back({tokens.data() + lookup.position, others.data() + other_position,
                    static_cast<std::uint32_t>(tokens.size()) - lookup.position,
                    static_cast<std::uint32_t>(others.size()) - other_position,
                    static_cast<std::uint32_t>(join_.measure->least_overlap(
                        tokens.size(), others.size(), join_.threshold))});
}

void PrefixProber::verify(std::uint32_t set, std::vector<VerifiedPair>& out) {
  kernels::count_overlaps(tasks_.data(), tasks_.size());
  counts_.verified += tasks_.size();
  const std::uint32_t size = sizes_.size;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (tasks_[i].shared < tasks_[i].least) continue;
    const auto [left, right] = std::minmax(sets_.places[set], sets_.places[candidates_[i]]);
    const auto other = static_cast<std::uint32_t>(sets_[candidates_[i]].size());
    const std::uint32_t left_size = left == sets_.places[set] ? size : other;
    out.push_back({left, right, {tasks_[i].shared, size + other - tasks_[i].shared, left_size}});
    ++counts_.pairs;
  }
  tasks_.clear();
  candidates_.clear();
}

}  // namespace sosie
