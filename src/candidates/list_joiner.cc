// Joins the posting lists of an exact join and verifies the pairs that the filters leave.
#include "candidates/list_joiner.h"

#include <algorithm>

#include "hwy/cache_control.h"

namespace sosie {
namespace {

// Candidates are collected over lists, so that the sets of many can be fetched at a time.
constexpr std::size_t kCandidates = 2 * kernels::kMostIndexed;
constexpr std::size_t kVerifiedAtOnce = 64;

}  // namespace

ListJoiner::ListJoiner(const TokenSets& sets, const PrefixJoin& join, const SizeTable& sizes,
                       const ParitySignatures& signatures)
    : sets_(sets),
      join_(join),
      is_scoped_(join.scope.left_end < sets.size() || join.scope.right_begin > 0),
      tables_{.ranks = sizes.ranks().data(),
              .sizes = sizes.rows().data(),
              .signatures = signatures.planes() > 0 ? signatures[0] : nullptr,
              .words = signatures.planes(),
              .by_suffix = join.filters.suffix},
      postings_(kernels::kColumnStride),
      columns_((3 + signatures.planes()) * kernels::kColumnStride),
      candidates_(kCandidates) {}

void ListJoiner::join(const kernels::Posting* list, std::uint64_t probe_begin,
                      std::uint64_t probe_end, std::vector<VerifiedPair>& out,
                      const std::function<void()>& tell) {
  const auto column = [&](std::size_t i) { return columns_.data() + i * kernels::kColumnStride; };
  const kernels::PostingColumns columns{postings_.data(), column(0), column(1), column(2),
                                        column(3)};
  for (std::uint64_t begin = 0; begin < probe_end; begin += kernels::kMostIndexed) {
    kernels::PostingBlock block{
        .list = list,
        .index_end = std::min<std::uint64_t>(begin + kernels::kMostIndexed, probe_end),
        .probe_begin = probe_begin,
        .probe_end = probe_end,
        .next = begin};
    while (true) {
      candidate_count_ += kernels::join_postings(block, tables_, columns, scanned_,
                                                 candidates_.data() + candidate_count_,
                                                 kCandidates - candidate_count_);
      if (block.next >= probe_end) break;
      verify(out);
      tell();
    }
    if (candidate_count_ > kCandidates - kernels::kMostIndexed) verify(out);
  }
}

const JoinCounts& ListJoiner::counts() noexcept {
  counts_.length = scanned_.length;
  counts_.position = scanned_.position;
  counts_.suffix = scanned_.suffix;
  counts_.signature = scanned_.signature;
  return counts_;
}

void ListJoiner::verify(std::vector<VerifiedPair>& out) {
  for (std::size_t begin = 0; begin < candidate_count_; begin += kVerifiedAtOnce) {
    verify_some(begin, std::min(candidate_count_, begin + kVerifiedAtOnce), out);
  }
  candidate_count_ = 0;
}

void ListJoiner::verify_some(std::size_t begin, std::size_t end, std::vector<VerifiedPair>& out) {
  for (std::size_t i = begin; i < end; ++i) {
    hwy::Prefetch(&sets_.starts[candidates_[i].indexed.set]);
    hwy::Prefetch(&sets_.starts[candidates_[i].probe.set]);
  }
  for (std::size_t i = begin; i < end; ++i) {
    hwy::Prefetch(sets_[candidates_[i].indexed.set].data());
    hwy::Prefetch(sets_[candidates_[i].probe.set].data());
  }
  tasks_.clear();
  tasks_of_.clear();
  for (std::size_t i = begin; i < end; ++i) {
    if (!is_first_shared(candidates_[i])) continue;
    if (is_scoped_ && !is_in_scope(candidates_[i])) continue;
    tasks_of_.push_back(static_cast<std::uint32_t>(i));
    tasks_.push_back(task_of(candidates_[i]));
  }
  kernels::count_overlaps(tasks_.data(), tasks_.size());
  counts_.verified += tasks_.size();
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (tasks_[i].shared < tasks_[i].least) continue;
    out.push_back(found_pair(candidates_[tasks_of_[i]], tasks_[i].shared));
    ++counts_.pairs;
  }
}

bool ListJoiner::is_in_scope(const kernels::PostingPair& pair) const {
  const auto [left, right] =
      std::minmax(sets_.places[pair.indexed.set], sets_.places[pair.probe.set]);
  return left < join_.scope.left_end && right >= join_.scope.right_begin;
}

// True if no token before the list's own is in both sets. Searches backwards: over all lists in
// which two sets meet, the searches add up to one walk through their prefixes.
bool ListJoiner::is_first_shared(const kernels::PostingPair& pair) const {
  const TokenView a = sets_[pair.indexed.set];
  const TokenView b = sets_[pair.probe.set];
  std::uint32_t i = pair.indexed.place;
  std::uint32_t j = pair.probe.place;
  while (i > 0 && j > 0) {
    const std::uint32_t x = a[i - 1];
    const std::uint32_t y = b[j - 1];
    if (x == y) return false;
    i -= x > y ? 1 : 0;
    j -= x > y ? 0 : 1;
  }
  return true;
}

// All tokens before the two positions are unshared, and the one there is shared.
kernels::OverlapTask ListJoiner::task_of(const kernels::PostingPair& pair) const {
  const TokenView a = sets_[pair.indexed.set];
  const TokenView b = sets_[pair.probe.set];
  return {a.data() + pair.indexed.place, b.data() + pair.probe.place,
          static_cast<std::uint32_t>(a.size()) - pair.indexed.place,
          static_cast<std::uint32_t>(b.size()) - pair.probe.place,
          static_cast<std::uint32_t>(
              join_.measure->least_overlap(a.size(), b.size(), join_.threshold))};
}

VerifiedPair ListJoiner::found_pair(const kernels::PostingPair& pair, std::uint32_t shared) const {
  std::uint32_t left = pair.indexed.set;
  std::uint32_t right = pair.probe.set;
  if (sets_.places[left] > sets_.places[right]) std::swap(left, right);
  const auto left_size = static_cast<std::uint32_t>(sets_[left].size());
  const auto right_size = static_cast<std::uint32_t>(sets_[right].size());
  return {sets_.places[left],
          sets_.places[right],
          {shared, left_size + right_size - shared, left_size}};
}

}  // namespace sosie
