#include "candidates/prefix_index.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include "candidates/list_joiner.h"
#include "candidates/parity_signatures.h"
#include "candidates/prefix_lists.h"
#include "candidates/size_table.h"

namespace sosie {
namespace {

constexpr std::uint64_t kPostingsPerShare = 8192;

void add_counts(const JoinCounts& part, JoinCounts& counts) {
  counts.length += part.length;
  counts.position += part.position;
  counts.suffix += part.suffix;
  counts.signature += part.signature;
  counts.verified += part.verified;
  counts.pairs += part.pairs;
}

// What the joiners of all threads share.
struct JoinIndex {
  JoinIndex(const TokenSets& sets_, const PrefixJoin& join_, ThreadPool& pool)
      : sets(sets_),
        join(join_),
        across(join.scope.left_end <= join.scope.right_begin),
        sizes(sets, join, across),
        lists(sets, join, across, sizes),
        signatures(sets, join.filters.signature, pool) {}

  [[nodiscard]] ListJoiner joiner() const { return {sets, join, sizes, signatures}; }

  const TokenSets& sets;
  const PrefixJoin& join;
  bool across;
  SizeTable sizes;
  PrefixLists lists;
  ParitySignatures signatures;
};

// Some sets of all, each with as many behind it.
class SampledSets {
 public:
  static constexpr std::uint32_t kCount = 256;
  static constexpr std::uint32_t kLeastStep = 32;

  explicit SampledSets(const TokenSets& sets) : step_(sets.size() / kCount) {}

  [[nodiscard]] bool too_few() const noexcept { return step_ < kLeastStep; }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t i) const noexcept {
    return i * step_ + step_ / 2;
  }
  [[nodiscard]] bool has(std::uint32_t set) const noexcept {
    return set % step_ == step_ / 2 && set / step_ < kCount;
  }

 private:
  std::uint32_t step_;
};

// How many pairs there will be, as far as some of the sets tell; 0 of few sets.
std::uint64_t foretell_pairs(const JoinIndex& index) {
  const SampledSets sampled(index.sets);
  if (sampled.too_few()) return 0;
  std::vector<std::uint32_t> tokens;
  for (std::uint32_t i = 0; i < SampledSets::kCount; ++i) {
    const std::uint32_t set = sampled[i];
    const TokenView probed = index.sets[set].first(index.sizes.probed(index.sizes.ranks()[set]));
    tokens.insert(tokens.end(), probed.begin(), probed.end());
  }
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  ListJoiner joiner = index.joiner();
  std::vector<kernels::Posting> postings;
  std::vector<VerifiedPair> found;
  std::uint64_t pairs = 0;
  for (const std::uint32_t token : tokens) {
    const PrefixLists::List list = index.lists.of_token(token);
    postings.assign(index.lists.postings().begin() + static_cast<std::ptrdiff_t>(list.begin),
                    index.lists.postings().begin() + static_cast<std::ptrdiff_t>(list.end));
    for (kernels::Posting& posting : postings) {
      if (!sampled.has(posting.set)) posting.place &= ~kernels::kProbes;
    }
    postings.resize(postings.size() + kernels::kPostingPadding);
    joiner.join(postings.data(), 0, list.end - list.begin, found, [] { return true; });
    joiner.verify(found);
    pairs += found.size();
    found.clear();
  }
  return pairs * index.sets.size() / SampledSets::kCount;
}

std::size_t share_count(const JoinIndex& index) {
  return (index.lists.size() + kPostingsPerShare - 1) / kPostingsPerShare;
}

// Joins the postings of one share, parts of lists at its ends; `each` is told of the pairs so far
// and says whether to go on.
template <class Each>
void join_share(const JoinIndex& index, std::size_t share, ListJoiner& joiner, const Each& each) {
  const std::uint64_t begin = share * kPostingsPerShare;
  const std::uint64_t end = std::min(index.lists.size(), begin + kPostingsPerShare);
  std::vector<VerifiedPair> found;
  bool goes_on = true;
  const auto tell = [&] { return goes_on = goes_on && each(found, false); };
  for (std::uint32_t i = index.lists.list_at(begin); i < index.lists.lists() && goes_on; ++i) {
    const PrefixLists::List list = index.lists[i];
    if (list.begin >= end) break;
    if (list.begin == list.end) continue;
    joiner.join(index.lists.postings().data() + list.begin,
                std::max(list.begin, begin) - list.begin, std::min(list.end, end) - list.begin,
                found, tell);
  }
  joiner.verify(found);
  each(found, true);
}

// Joins all lists, share by share. Calls each(share, pairs of it so far, whether these are all) as
// they become more; it may take them, and says whether to go on.
template <class Each>
void join_all(const JoinIndex& index, ThreadPool& pool,
              const std::function<void(std::size_t done)>& progress, JoinCounts& counts,
              const Each& each) {
  std::vector<std::unique_ptr<ListJoiner>> joiners(pool.size());
  std::atomic<bool> goes_on = true;
  const std::size_t shares = share_count(index);
  pool.for_each(shares, [&](unsigned worker, std::size_t share) {
    if (!goes_on) return;
    auto& joiner = joiners[worker];
    if (!joiner) joiner = std::make_unique<ListJoiner>(index.joiner());
    join_share(index, share, *joiner, [&](std::vector<VerifiedPair>& found, bool all) {
      if (!each(share, found, all)) goes_on = false;
      return goes_on.load();
    });
    if (worker == 0) progress(index.sets.size() * (share + 1) / shares);
  });
  counts.indexed += index.lists.indexed();
  for (const auto& joiner : joiners) {
    if (joiner) add_counts(joiner->counts(), counts);
  }
}

// All pairs by (left, right), moved out of their shares. Few are sorted; many are told apart by
// left first.
std::vector<VerifiedPair> in_order(std::vector<std::vector<VerifiedPair>>& shares,
                                   const TokenSets& sets) {
  constexpr std::size_t kFew = 8;  // sets a pair
  std::size_t count = 0;
  for (const std::vector<VerifiedPair>& share : shares) count += share.size();
  std::vector<VerifiedPair> pairs;
  const auto sort = [&](std::uint64_t begin, std::uint64_t end) {
    if (end - begin < 2) return;
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin),
              pairs.begin() + static_cast<std::ptrdiff_t>(end),
              [](const VerifiedPair& a, const VerifiedPair& b) {
                return a.left != b.left ? a.left < b.left : a.right < b.right;
              });
  };
  if (count <= sets.size() / kFew) {
    for (const std::vector<VerifiedPair>& share : shares) {
      pairs.insert(pairs.end(), share.begin(), share.end());
    }
    sort(0, pairs.size());
    return pairs;
  }
  std::vector<std::uint64_t> ends(*std::max_element(sets.places.begin(), sets.places.end()) + 2, 0);
  for (const std::vector<VerifiedPair>& share : shares) {
    for (const VerifiedPair& pair : share) ++ends[pair.left + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  pairs.resize(count);
  for (std::vector<VerifiedPair>& share : shares) {
    for (const VerifiedPair& pair : share) pairs[ends[pair.left]++] = pair;
    std::vector<VerifiedPair>().swap(share);
  }
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    sort(begin, end);
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
  std::vector<std::vector<VerifiedPair>> shares(share_count(index));
  std::atomic<std::uint64_t> ended = 0;  // pairs of the shares that are through
  std::atomic<bool> too_many = false;
  join_all(index, pool, progress, counts,
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
  join_all(
      index, pool, [](std::size_t) {}, counts,
      [&](std::size_t, std::vector<VerifiedPair>& found, bool all) {
        if (found.size() < kTakenAtOnce && !all) return true;
        take(found);
        found.clear();
        return true;
      });
}

}  // namespace sosie
