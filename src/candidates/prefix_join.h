#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "data/run_summary.h"
#include "data/token_sets.h"

namespace sosie {

// Filters of an exact join. Each filter saves work; none loses a pair.
struct PrefixFilters {
  bool length = true;     // sizes that can reach the threshold (MMDS 3.9.3)
  bool prefix = true;     // the first tokens of both sets must have one in common (MMDS 3.9.4)
  bool position = true;   // position of the first shared token in both (MMDS 3.9.5)
  bool suffix = true;     // number of tokens after the shared one (MMDS 3.9.6)
  bool signature = true;  // number of differing bits of parity signatures (Bitmap filter:
                          // Sandes, Teodoro, Melo 2017)
};

// Parses "length,prefix" or "none"; nullopt for any other text.
[[nodiscard]] std::optional<PrefixFilters> parse_filters(std::string_view text);

// Measure, threshold, filters and scope of a prefix join.
struct PrefixJoin {
  const Measure* measure = nullptr;
  Rational threshold;
  PrefixFilters filters = {};
  PairScope scope = {};
  // Called before the join with an estimate of the number of pairs, made from some of the sets (if
  // there are at least 8,192 sets). May throw.
  std::function<void(std::uint64_t pairs)> foretell = {};
};

// Receives some pairs, concurrently from several threads.
using TakePairs = std::function<void(std::span<const VerifiedPair>)>;

// Passes every pair in scope that reaches the threshold to `take`, once, in arbitrary order and
// with the exact overlap; the pairs do not depend on the number of threads. The prefixes of all
// sets are inverted into lists: for each token, the sets that contain it, by ascending size. Each
// list is joined with itself (if the scope is two collections, the sets of one collection with the
// sets of the other). Memory is thus read sequentially, and pairs that pass the filters are
// verified at once. Empty sets are in no pair. `progress` receives the number of finished sets.
// MMDS 3.9; AllPairs (Bayardo, Ma, Srikant 2007), PPJoin (Xiao et al. 2008).
void prefix_join(const TokenSets& sets, const PrefixJoin& join, ThreadPool& pool,
                 const TakePairs& take, const std::function<void(std::size_t done)>& progress,
                 JoinCounts& counts);

}  // namespace sosie
