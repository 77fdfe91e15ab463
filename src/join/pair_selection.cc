// Selects pairs by --top, --top-pairs and --limit.
#include "join/pair_selection.h"

#include <fmt/format.h>

#include "sosie/error.h"

namespace sosie {

PairSelection pair_selection(const Options& options) {
  return {options.top, options.top_pairs, options.limit};
}

namespace {

std::string way_to_fewer_pairs(const PairSelection& wanted, const BoundFacts& facts) {
  if (wanted.top_pairs > 0) return "lower --top-pairs, or raise --limit";
  if (facts.bound.empty()) return "lower --top, or add a bound: --threshold or --within";
  return fmt::format("{}, {} --top or {}--top-pairs",
                     facts.is_similarity ? "raise --threshold" : "lower --within",
                     wanted.top > 0 ? "lower" : "or use", wanted.top > 0 ? "use " : "");
}

}  // namespace

void check_pair_limit(const PairSelection& wanted, const BoundFacts& facts, std::uint64_t pairs) {
  if (wanted.limit == 0 || pairs <= wanted.limit) return;
  const std::string reached =
      facts.bound.empty() ? "" : fmt::format(" reach {} {}", facts.measure, facts.bound);
  throw Error(
      ErrorKind::limit_exceeded,
      fmt::format("more than {} pairs{}, the maximum set by --limit", wanted.limit, reached),
      way_to_fewer_pairs(wanted, facts));
}

}  // namespace sosie
