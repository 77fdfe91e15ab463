#include "candidates/prefix_index.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include "candidates/parity_signatures.h"
#include "candidates/prefix_postings.h"
#include "candidates/prefix_prober.h"

namespace sosie {
namespace {

constexpr std::uint32_t kSetsPerShare = 256;

void add_counts(const JoinCounts& part, JoinCounts& counts) {
  counts.length += part.length;
  counts.position += part.position;
  counts.suffix += part.suffix;
  counts.signature += part.signature;
  counts.verified += part.verified;
  counts.pairs += part.pairs;
}

// What the probers of all threads share.
struct JoinIndex {
  JoinIndex(const TokenSets& sets_, const PrefixJoin& join_, ThreadPool& pool)
      : sets(sets_),
        join(join_),
        across(join.scope.left_end <= join.scope.right_begin),
        lists(sets, join, across),
        signatures(sets, join.filters.signature, pool),
        postings(lists.columns(signatures)) {}

  [[nodiscard]] PrefixProber prober() const {
    return {sets, join, across, lists, postings, signatures};
  }

  const TokenSets& sets;
  const PrefixJoin& join;
  bool across;
  PrefixPostings lists;
  ParitySignatures signatures;
  kernels::Postings postings;
};

// How many pairs there will be, as far as some of the sets tell; 0 of few sets.
std::uint64_t foretell_pairs(const JoinIndex& index) {
  constexpr std::uint32_t kProbes = 256;
  const std::uint32_t sets = index.sets.size();
  const std::uint32_t step = sets / kProbes;
  if (step < 32) return 0;
  PrefixProber prober = index.prober();
  std::uint64_t pairs = 0;
  std::vector<VerifiedPair> found;
  for (std::uint32_t probe = 0; probe < kProbes; ++probe) {
    found.clear();
    const std::uint32_t set = probe * step + step / 2;
    prober.probe(set, set + 1, found);
    pairs += found.size();
  }
  return pairs * sets / kProbes;
}

std::size_t share_count(const TokenSets& sets) {
  return (std::size_t{sets.size()} + kSetsPerShare - 1) / kSetsPerShare;
}

// Looks up all sets, share by share. Calls each(share, pairs of it so far, whether these are all)
// as they become more; it may take them, and says whether to go on.
template <class Each>
void probe_all(const JoinIndex& index, ThreadPool& pool,
               const std::function<void(std::size_t done)>& progress, JoinCounts& counts,
               const Each& each) {
  std::vector<std::unique_ptr<PrefixProber>> probers(pool.size());
  std::atomic<bool> goes_on = true;
  pool.for_each(share_count(index.sets), [&](unsigned worker, std::size_t share) {
    auto& prober = probers[worker];
    if (!prober) prober = std::make_unique<PrefixProber>(index.prober());
    const auto begin = static_cast<std::uint32_t>(share) * kSetsPerShare;
    const std::uint32_t end = std::min(index.sets.size(), begin + kSetsPerShare);
    std::vector<VerifiedPair> found;
    for (std::uint32_t set = begin; set < end && goes_on;) {
      set = prober->probe(set, end, found);
      if (!each(share, found, set == end)) goes_on = false;
    }
    if (worker == 0) progress(end);
  });
  counts.indexed += index.lists.size();
  for (const auto& prober : probers) {
    if (prober) add_counts(prober->counts(), counts);
  }
}

// All pairs by (left, right), moved out of their shares: told apart by left, then each left sorted.
std::vector<VerifiedPair> in_order(std::vector<std::vector<VerifiedPair>>& shares,
                                   const TokenSets& sets) {
  std::vector<std::uint64_t> ends(*std::max_element(sets.places.begin(), sets.places.end()) + 2, 0);
  for (const std::vector<VerifiedPair>& share : shares) {
    for (const VerifiedPair& pair : share) ++ends[pair.left + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<VerifiedPair> pairs(ends.back());
  for (std::vector<VerifiedPair>& share : shares) {
    for (const VerifiedPair& pair : share) pairs[ends[pair.left]++] = pair;
    std::vector<VerifiedPair>().swap(share);
  }
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin),
              pairs.begin() + static_cast<std::ptrdiff_t>(end),
              [](const VerifiedPair& a, const VerifiedPair& b) { return a.right < b.right; });
    begin = end;
  }
  return pairs;
}

bool* filter_by_name(PrefixFilters& filters, std::string_view name) {
  if (name == "length") return &filters.length;
  if (name == "prefix") return &filters.prefix;
  if (name == "position") return &filters.position;
  if (name == "suffix") return &filters.suffix;
  if (name == "signature") return &filters.signature;
  return nullptr;
}

}  // namespace

std::optional<PrefixFilters> parse_filters(std::string_view text) {
  PrefixFilters filters{false, false, false, false, false};
  if (text == "none") return filters;
  while (true) {
    const std::size_t comma = text.find(',');
    bool* const filter = filter_by_name(filters, text.substr(0, comma));
    if (filter == nullptr) return std::nullopt;
    *filter = true;
    if (comma == std::string_view::npos) return filters;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::vector<VerifiedPair>> prefix_join(
    const TokenSets& sets, const PrefixJoin& join, ThreadPool& pool,
    const std::function<void(std::size_t done)>& progress, JoinCounts& counts) {
  if (sets.size() == 0) return std::vector<VerifiedPair>{};
  const JoinIndex index(sets, join, pool);
  counts.expected = foretell_pairs(index);
  if (counts.expected > join.most_pairs) return std::nullopt;
  std::vector<std::vector<VerifiedPair>> shares(share_count(sets));
  std::atomic<std::uint64_t> ended = 0;  // pairs of the shares that are through
  std::atomic<bool> too_many = false;
  probe_all(index, pool, progress, counts,
            [&](std::size_t share, std::vector<VerifiedPair>& found, bool all) {
              const std::uint64_t pairs = all ? ended += found.size() : ended + found.size();
              if (pairs > join.most_pairs) too_many = true;
              if (all) shares[share] = std::move(found);
              return !too_many;
            });
  if (too_many) return std::nullopt;
  return in_order(shares, sets);
}

void prefix_join_to(const TokenSets& sets, const PrefixJoin& join, ThreadPool& pool,
                    const TakePairs& take, JoinCounts& counts) {
  constexpr std::size_t kTakenAtOnce = 4096;
  if (sets.size() == 0) return;
  const JoinIndex index(sets, join, pool);
  probe_all(
      index, pool, [](std::size_t) {}, counts,
      [&](std::size_t, std::vector<VerifiedPair>& found, bool all) {
        if (found.size() < kTakenAtOnce && !all) return true;
        take(found);
        found.clear();
        return true;
      });
}

}  // namespace sosie
