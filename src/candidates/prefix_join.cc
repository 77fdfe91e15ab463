// Exact join of sets: inverts the prefixes, joins the list of each token in parallel, and verifies
// the pairs that pass the filters.
#include "candidates/prefix_join.h"

#include <algorithm>
#include <memory>

#include "candidates/prefix_lists.h"
#include "hwy/cache_control.h"
#include "kernels/count_overlaps.h"
#include "kernels/join_postings.h"

namespace sosie {
namespace {

// Pairs the postings of lists and verifies the pairs that pass the filters. Not thread-safe. A pair
// is taken only from the list of the first token that both sets contain: there, its filters are
// exact, and no table of partners already seen is needed.
class ListJoiner {
 public:
  ListJoiner(const TokenSets& sets, const PrefixJoin& join, const SizeTable& sizes,
             const ParitySignatures& signatures);

  // Finds the pairs of the postings from probe_begin to probe_end, which probe a list (and possibly
  // later lists). Calls `tell` from time to time, after pairs have been added to `out`; it may
  // remove them.
  void join(const kernels::Posting* list, std::uint64_t probe_begin, std::uint64_t probe_end,
            std::vector<VerifiedPair>& out, const std::function<void()>& tell);

  // Verifies the pairs collected since the last call; join() calls it when there are many.
  void verify(std::vector<VerifiedPair>& out);

  [[nodiscard]] const JoinCounts& counts() noexcept;

 private:
  void verify_some(std::size_t begin, std::size_t end, std::vector<VerifiedPair>& out);
  [[nodiscard]] bool is_in_scope(const kernels::PostingPair& pair) const;
  [[nodiscard]] bool is_first_shared(const kernels::PostingPair& pair) const;
  [[nodiscard]] kernels::OverlapTask task_of(const kernels::PostingPair& pair) const;
  [[nodiscard]] VerifiedPair found_pair(const kernels::PostingPair& pair,
                                        std::uint32_t shared) const;

  const TokenSets& sets_;
  const PrefixJoin& join_;
  bool is_scoped_;
  kernels::JoinTables tables_;
  std::vector<kernels::Posting> postings_;  // the columns, see kernels::PostingColumns
  std::vector<std::uint32_t> columns_;
  std::vector<kernels::PostingPair> candidates_;
  std::size_t candidate_count_ = 0;
  std::vector<std::uint32_t> tasks_of_;  // candidates to compare
  std::vector<kernels::OverlapTask> tasks_;
  kernels::PostingCounts scanned_;
  JoinCounts counts_;
};

// Candidates are collected across lists, so that many of their sets can be prefetched together.
constexpr std::size_t kCandidates = 2 * kernels::kMostIndexed;
constexpr std::size_t kVerifiedAtOnce = 64;

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

// True if no earlier token occurs in both sets. Searches backwards: over all lists in which two
// sets meet, the searches together pass through their prefixes only once.
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

// No token before the two positions is shared, but the token there is.
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

constexpr std::uint64_t kPostingsPerShare = 8192;

void add_counts(const JoinCounts& part, JoinCounts& counts) {
  counts.length += part.length;
  counts.position += part.position;
  counts.suffix += part.suffix;
  counts.signature += part.signature;
  counts.verified += part.verified;
  counts.pairs += part.pairs;
}

// Data shared by the joiners of all threads.
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

// A sample of the sets, each with a number of subsequent sets.
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

// Estimates the number of pairs from a sample of the sets; 0 if there are few sets.
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

// Joins the postings of one share, which may begin and end within a list. As pairs accumulate,
// calls each(pairs, true for the last pairs), which may remove them.
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
