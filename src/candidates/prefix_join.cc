// Exact join of sets: inverts the prefixes and joins each token's list, shared out to workers.
#include "candidates/prefix_join.h"

#include <algorithm>
#include <memory>

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

// Data that the joiners of all threads share.
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

// Estimates the number of pairs from some of the sets; 0 if there are few sets.
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
    joiner.join(postings.data(), 0, list.end - list.begin, found, [] {});
    joiner.verify(found);
    pairs += found.size();
    found.clear();
  }
  return pairs * index.sets.size() / SampledSets::kCount;
}

std::size_t share_count(const JoinIndex& index) {
  return (index.lists.size() + kPostingsPerShare - 1) / kPostingsPerShare;
}

// Joins the postings of one share, parts of lists at its ends; calls each(pairs, whether these are
// the last), which may take them, as they become more.
template <class Each>
void join_share(const JoinIndex& index, std::size_t share, ListJoiner& joiner, const Each& each) {
  const std::uint64_t begin = share * kPostingsPerShare;
  const std::uint64_t end = std::min(index.lists.size(), begin + kPostingsPerShare);
  std::vector<VerifiedPair> found;
  const auto tell = [&] { each(found, false); };
  for (std::uint32_t i = index.lists.list_at(begin); i < index.lists.lists(); ++i) {
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

// Joins all lists, share by share.
template <class Each>
void join_all(const JoinIndex& index, ThreadPool& pool,
              const std::function<void(std::size_t done)>& progress, JoinCounts& counts,
              const Each& each) {
  std::vector<std::unique_ptr<ListJoiner>> joiners(pool.size());
  const std::size_t shares = share_count(index);
  pool.for_each(shares, [&](unsigned worker, std::size_t share) {
    auto& joiner = joiners[worker];
    if (!joiner) joiner = std::make_unique<ListJoiner>(index.joiner());
    join_share(index, share, *joiner, each);
    if (worker == 0) progress(index.sets.size() * (share + 1) / shares);
  });
  counts.indexed += index.lists.indexed();
  for (const auto& joiner : joiners) {
    if (joiner) add_counts(joiner->counts(), counts);
  }
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

void prefix_join(const TokenSets& sets, const PrefixJoin& join, ThreadPool& pool,
                 const TakePairs& take, const std::function<void(std::size_t done)>& progress,
                 JoinCounts& counts) {
  constexpr std::size_t kTakenAtOnce = 4096;
  if (sets.size() == 0) return;
  const JoinIndex index(sets, join, pool);
  if (join.foretell) join.foretell(foretell_pairs(index));
  join_all(index, pool, progress, counts, [&](std::vector<VerifiedPair>& found, bool all) {
    if (found.empty() || (found.size() < kTakenAtOnce && !all)) return;
    take(found);
    found.clear();
  });
}

}  // namespace sosie
