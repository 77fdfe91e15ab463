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

// Which filters an exact join applies. None of them loses a pair; each saves work.
struct PrefixFilters {
  bool length = true;     // sizes that can reach the threshold (MMDS 3.9.3)
  bool prefix = true;     // the first tokens of both sets must share one (MMDS 3.9.4)
  bool position = true;   // where the first shared token stands in both (MMDS 3.9.5)
  bool suffix = true;     // suffix filter: number of tokens behind the shared one (MMDS 3.9.6)
  bool signature = true;  // bits that the sets' parity signatures differ in (Bitmap filter:
                          // Sandes, Teodoro, Melo 2017)
};

// "length,prefix" or "none"; nothing when it is no such list.
[[nodiscard]] std::optional<PrefixFilters> parse_filters(std::string_view text);

// Measure, threshold, filters and scope of a prefix join.
struct PrefixJoin {
  const Measure* measure = nullptr;
  Rational threshold;
  PrefixFilters filters = {};
  PairScope scope = {};
  // Told before the join is made how many pairs there will be, as far as some of the sets tell (of
  // 8,192 sets or more); may throw.
  std::function<void(std::uint64_t pairs)> foretell = {};
};

// Takes some pairs, from several threads at a time.
using TakePairs = std::function<void(std::span<const VerifiedPair>)>;

// Hands every pair in scope that reaches the threshold to `take`, once and in any order, with the
// exact overlap of both, and the same pairs for any number of threads. The prefixes of all sets are
// turned round, into a list for each token of the sets that hold it, by ascending size. Each list
// is joined with itself (with a scope of two collections: the sets of one with the sets of the
// other), so that memory is read in order, and pairs that pass the filters are verified at once.
// Empty sets are in no pair. `progress` is told of sets done. MMDS 3.9; AllPairs (Bayardo, Ma,
// Srikant 2007), PPJoin (Xiao et al. 2008).
void prefix_join(const TokenSets& sets, const PrefixJoin& join, ThreadPool& pool,
                 const TakePairs& take, const std::function<void(std::size_t done)>& progress,
                 JoinCounts& counts);

}  // namespace sosie
