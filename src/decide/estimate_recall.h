#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/run_summary.h"

namespace sosie {

// The number of true pairs of a sampled document, and of those found.
struct PairTally {
  std::uint64_t true_pairs = 0;
  std::uint64_t found_pairs = 0;
};

// Estimates the recall over all pairs from the pairs of sampled documents, with a 95 % interval:
// the percentiles of 2,000 bootstrap samples of documents (pairs of the same document are not
// independent, documents are), widened to Wilson's interval for as many independent pairs as the
// documents are worth, (sum t)^2 / sum t^2. Resampling alone cannot distinguish "none missed in the
// sample" from "none missed". Deterministic in seed, for any number of threads. O(2000 documents).
// Sources: Efron, "Bootstrap methods", 1979; Wilson 1927; Kish 1965 (effective size).
[[nodiscard]] RecallEstimate estimate_recall(std::span<const PairTally> documents,
                                             std::uint64_t seed, ThreadPool& pool);

// Samples `count` of the numbers [begin, end) that take part, by hash(seed, number): those with the
// smallest hashes. In ascending order; all of them if there are no more.
[[nodiscard]] std::vector<std::uint32_t> draw_numbers(
    std::uint32_t begin, std::uint32_t end, const std::function<bool(std::uint32_t)>& takes_part,
    std::uint64_t count, std::uint64_t seed);

// Fills in the results of the tallies of the sampled documents (for all pairs, and for the slice
// near the threshold); facts.sampled, facts.documents and facts.asked are known.
void conclude(std::span<const PairTally> all, std::span<const PairTally> slice, std::uint64_t seed,
              ThreadPool& pool, AuditFacts& facts);

}  // namespace sosie
