// --top, --top-pairs and --limit as options say them.
#include "join/pair_selection.h"

#include <fmt/format.h>

#include "sosie/error.h"

namespace sosie {

PairSelection pair_selection(const Options& options) {
  return {options.top, options.top_pairs, options.limit};
}

void check_pair_limit(const PairSelection& wanted, const BoundFacts& facts, std::uint64_t pairs) {
  if (wanted.limit == 0 || pairs <= wanted.limit) return;
  if (facts.bound.empty()) {
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("more than {} pairs, which is --limit", wanted.limit),
                "lower --top, or set how similar they must be");
  }
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("more than {} pairs reach {} {}, which is --limit", wanted.limit,
                          facts.measure, facts.bound),
              facts.is_similarity ? "raise --threshold, or use --top or --top-pairs"
                                  : "lower --within, or use --top or --top-pairs");
}

}  // namespace sosie
