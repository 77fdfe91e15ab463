#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/run_summary.h"

namespace sosie {

// The number of true pairs of a sampled document, and the number of these that were found.
struct PairTally {
  std::uint64_t true_pairs = 0;
  std::uint64_t found_pairs = 0;
};

// Estimates the recall over all pairs from the pairs of sampled documents. The 95 % interval
// consists of the percentiles of 2,000 bootstrap samples of documents (documents are independent;
// pairs of the same document are not). It is widened to Wilson's interval for the effective number
// of independent pairs, (sum t)^2 / sum t^2, because resampling alone cannot distinguish "none
// missed in the sample" from "none missed". The result depends only on the seed, not on the number
// of threads. O(2000 documents). Sources: Efron, "Bootstrap methods", 1979; Wilson 1927; Kish 1965
// (effective size).
[[nodiscard]] RecallEstimate estimate_recall(std::span<const PairTally> documents,
                                             std::uint64_t seed, ThreadPool& pool);

// Samples `count` of the numbers in [begin, end) that take part: those with the smallest hash(seed,
// number), in ascending order. Returns all of them if there are no more than `count`.
[[nodiscard]] std::vector<std::uint32_t> draw_numbers(
    std::uint32_t begin, std::uint32_t end, const std::function<bool(std::uint32_t)>& takes_part,
    std::uint64_t count, std::uint64_t seed);

// Computes the results from the tallies of the sampled documents, for all pairs and for the slice
// near the threshold. facts.sampled, facts.documents and facts.asked must be set.
void conclude(std::span<const PairTally> all, std::span<const PairTally> slice, std::uint64_t seed,
              ThreadPool& pool, AuditFacts& facts);

}  // namespace sosie
