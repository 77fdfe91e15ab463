#include "candidates/prefix_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <numeric>

#include "candidates/parity_signatures.h"
#include "candidates/prefix_postings.h"
#include "candidates/size_bounds.h"
#include "core/number_text.h"
#include "hwy/cache_control.h"
#include "kernels/posting_scan.h"
#include "kernels/token_overlap.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kNoSet = ~std::uint32_t{0};
constexpr std::uint32_t kSetsPerShare = 256;
constexpr std::uint32_t kSetsAtOnce = 16;

// The bounds of one size, for all sets of it.
struct SizeBounds {
  std::uint32_t size = 0;
  std::uint32_t prefix = 0;
  std::uint32_t least_size = 0;
  std::uint32_t most_size = 0;
  std::vector<std::uint32_t> most_different;  // of partners of least_size .. most_size
  // Of a partner, by position of the first shared token here; positions that are not there: no
  // partner holds it first.
  std::vector<std::uint32_t> most_positions;

  void set(const PrefixJoin& join, std::uint32_t new_size, std::uint32_t largest) {
    if (size == new_size) return;
    size = new_size;
    const Measure& measure = *join.measure;
    prefix = join.filters.prefix
                 ? static_cast<std::uint32_t>(prefix_length(measure, size, join.threshold))
                 : size;
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
    set_most_positions(join);
  }

  void set_most_positions(const PrefixJoin& join) {
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
};

// Looks sets up in the index; belongs to one thread.
class Prober {
 public:
  Prober(const TokenSets& sets, const PrefixJoin& join, bool across, const PrefixPostings& index,
         const kernels::Postings& postings, const ParitySignatures& signatures)
      : sets_(sets),
        join_(join),
        across_(across),
        index_(index),
        postings_(postings),
        signatures_(signatures),
        largest_(static_cast<std::uint32_t>(sets[sets.size() - 1].size())),
        last_probe_(sets.size(), kNoSet),
        passed_(sets.universe - sets.first_shared, 0) {}

  // Looks up some sets of one size, the first of which is `begin`; returns the first of those
  // before `end` that are left. Does not go back: `begin` is not below what another call returned.
  std::uint32_t probe(std::uint32_t begin, std::uint32_t end, std::vector<VerifiedPair>& out) {
    const auto size = static_cast<std::uint32_t>(sets_[begin].size());
    if (size == 0) return begin + 1;
    sizes_.set(join_, size, across_ ? largest_ : size);
    end = std::min(end, begin + kSetsAtOnce);
    std::uint32_t set_end = begin;
    while (set_end < end && sets_[set_end].size() == size) ++set_end;
    prepare(begin, set_end);
    for (std::size_t i = 0; i < lookups_.size();) {
      const std::uint32_t set = lookups_[i].set;
      candidates_.clear();
      tasks_.clear();
      for (; i < lookups_.size() && lookups_[i].set == set; ++i) look_up(lookups_[i]);
      verify(set, out);
    }
    return set_end;
  }

  [[nodiscard]] const JoinCounts& counts() noexcept {
    counts_.length = scanned_.length;
    counts_.position = scanned_.position;
    counts_.suffix = scanned_.suffix;
    counts_.signature = scanned_.signature;
    return counts_;
  }

 private:
  struct Lookup {
    std::uint32_t set;
    std::uint32_t position;
    std::uint32_t token;
    PrefixPostings::List list;
  };

  template <class Each>
  void for_each_prefix_token(std::uint32_t begin, std::uint32_t end, const Each& each) const {
    for (std::uint32_t set = begin; set < end; ++set) {
      if (across_ && sets_.places[set] < join_.scope.right_begin) continue;
      const TokenView tokens = sets_[set];
      for (std::uint32_t position = 0; position < sizes_.most_positions.size(); ++position) {
        if (tokens[position] >= sets_.first_shared) each(set, position, tokens[position]);
      }
    }
  }

  // Lists what is to be looked up for these sets, all of one size. What a lookup reads lies apart
  // for each: it is fetched for many at a time.
  void prepare(std::uint32_t begin, std::uint32_t end) {
    for_each_prefix_token(begin, end, [&](std::uint32_t, std::uint32_t, std::uint32_t token) {
      index_.prefetch(token);
      hwy::Prefetch(&passed_[token - sets_.first_shared]);
    });
    lookups_.clear();
    for_each_prefix_token(begin, end,
                          [&](std::uint32_t set, std::uint32_t position, std::uint32_t token) {
                            PrefixPostings::List list = index_.list_of(token);
                            list.begin += passed_[token - sets_.first_shared];
                            if (list.begin == list.end) return;
                            lookups_.push_back({set, position, token, list});
                            prefetch(list.begin);
                          });
  }

  void prefetch(std::uint64_t posting) const {
    hwy::Prefetch(postings_.sizes + posting);
    hwy::Prefetch(postings_.sets + posting);
    hwy::Prefetch(postings_.positions + posting);
    for (std::size_t plane = 0; plane < postings_.planes; ++plane) {
      hwy::Prefetch(postings_.signatures + plane * postings_.stride + posting);
    }
  }

  void look_up(const Lookup& lookup) {
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
    const std::size_t count = kernels::scan_postings(postings_, list.begin, list.end, bounds,
                                                     scanned_, survivors_.data());
    for (std::size_t i = 0; i < count; ++i) {
      add(lookup.set, sets_[lookup.set], lookup.position, list.begin + survivors_[i]);
    }
  }

  // Sets come by ascending size: what is too small for one is so for all that follow.
  PrefixPostings::List without_small_sets(const Lookup& lookup) {
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
  void add(std::uint32_t set, TokenView tokens, std::uint32_t position, std::uint64_t posting) {
    const std::uint32_t other = postings_.sets[posting];
    if (last_probe_[other] == set) return;
    last_probe_[other] = set;
    const auto [left, right] = std::minmax(sets_.places[set], sets_.places[other]);
    if (left >= join_.scope.left_end || right < join_.scope.right_begin) return;
    const TokenView others = sets_[other];
    // All tokens before the two positions are unshared, and the one there is shared.
    const std::uint32_t other_position = postings_.positions[posting];
    candidates_.push_back(other);
    tasks_.push_back({tokens.data() + position, others.data() + other_position,
                      static_cast<std::uint32_t>(tokens.size()) - position,
                      static_cast<std::uint32_t>(others.size()) - other_position,
                      static_cast<std::uint32_t>(join_.measure->least_overlap(
                          tokens.size(), others.size(), join_.threshold))});
  }

  void verify(std::uint32_t set, std::vector<VerifiedPair>& out) {
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
  }

  const TokenSets& sets_;
  const PrefixJoin& join_;
  bool across_;
  const PrefixPostings& index_;
  const kernels::Postings& postings_;
  const ParitySignatures& signatures_;
  std::uint32_t largest_;
  SizeBounds sizes_;
  std::vector<std::uint32_t> last_probe_;  // the last set that met this one
  std::vector<std::uint32_t> passed_;      // postings of each list of which the sets are too small
  std::vector<Lookup> lookups_;            // by set
  std::vector<std::uint32_t> survivors_;
  std::vector<std::uint32_t> candidates_;
  std::vector<kernels::OverlapTask> tasks_;
  kernels::PostingCounts scanned_;
  JoinCounts counts_;
};

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
void check_pair_count(Prober prober, const PrefixJoin& join, std::uint32_t sets) {
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
  std::vector<std::unique_ptr<Prober>> probers(pool.size());
  std::atomic<std::uint64_t> pair_count = 0;
  pool.for_each(shares, [&](unsigned worker, std::size_t share) {
    auto& prober = probers[worker];
    if (!prober) {
      prober = std::make_unique<Prober>(sets, join, across, index, postings, signatures);
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
