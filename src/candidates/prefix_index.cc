#include "candidates/prefix_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include "candidates/parity_signatures.h"
#include "candidates/prefix_postings.h"
#include "candidates/prefix_prober.h"
#include "core/number_text.h"
#include "sosie/error.h"

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

[[noreturn]] void throw_too_many(std::string_view count, const PrefixJoin& join) {
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("{} pairs reach the threshold: --memory holds {}", count,
                          count_text(join.most_pairs)),
              "raise --threshold, or --memory");
}

// Ends the join before it is made when its pairs will be too many, as far as some of the sets tell.
void check_pair_count(PrefixProber prober, const PrefixJoin& join, std::uint32_t sets) {
  constexpr std::uint32_t kProbes = 256;
  const std::uint32_t step = sets / kProbes;
  if (step < 32) return;
  std::uint64_t pairs = 0;
  std::vector<VerifiedPair> found;
  for (std::uint32_t probe = 0; probe < kProbes; ++probe) {
    found.clear();
    const std::uint32_t set = probe * step + step / 2;
    prober.probe(set, set + 1, found);
    pairs += found.size();
  }
  const std::uint64_t expected = pairs * sets / kProbes;
  if (expected > join.most_pairs) throw_too_many("about " + count_text(expected), join);
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

std::vector<VerifiedPair> prefix_join(const TokenSets& sets, const PrefixJoin& join,
                                      ThreadPool& pool,
                                      const std::function<void(std::size_t done)>& progress,
                                      JoinCounts& counts) {
  if (sets.size() == 0) return {};
  const bool across = join.scope.left_end <= join.scope.right_begin;
  PrefixPostings index(sets, join, across);
  const ParitySignatures signatures(sets, join.filters.signature, pool);
  const kernels::Postings postings = index.columns(signatures);
  check_pair_count({sets, join, across, index, postings, signatures}, join, sets.size());
  counts.indexed += index.size();
  const std::size_t shares = (std::size_t{sets.size()} + kSetsPerShare - 1) / kSetsPerShare;
  std::vector<std::vector<VerifiedPair>> found(shares);
  std::vector<std::unique_ptr<PrefixProber>> probers(pool.size());
  std::atomic<std::uint64_t> pair_count = 0;
  pool.for_each(shares, [&](unsigned worker, std::size_t share) {
    auto& prober = probers[worker];
    if (!prober) {
      prober = std::make_unique<PrefixProber>(sets, join, across, index, postings, signatures);
    }
    const auto begin = static_cast<std::uint32_t>(share) * kSetsPerShare;
    const std::uint32_t end = std::min(sets.size(), begin + kSetsPerShare);
    for (std::uint32_t set = begin; set < end;) {
      const std::size_t before = found[share].size();
      set = prober->probe(set, end, found[share]);
      const std::size_t more = found[share].size() - before;
      if (more > 0 && (pair_count += more) > join.most_pairs) {
        throw_too_many("more than " + count_text(join.most_pairs), join);
      }
    }
    if (worker == 0) progress(end);
  });
  for (const auto& prober : probers) {
    if (prober) add_counts(prober->counts(), counts);
  }
  return in_order(found, sets);
}

}  // namespace sosie
