#pragma once

#include <cstdint>
#include <span>

#include "core/thread_pool.h"
#include "data/audit_facts.h"

namespace sosie {

// The true pairs of one sampled document, and how many of them are found.
struct PairTally {
  std::uint64_t true_pairs = 0;
  std::uint64_t found_pairs = 0;
};

// Recall over all pairs from those of sampled documents, with a 95 % interval: the percentiles of
// 2,000 bootstrap samples of documents (pairs of one document are not independent, documents are),
// widened to Wilson's interval for as many independent pairs as the documents are worth,
// (sum t)^2 / sum t^2. Resampling alone cannot tell "none missed in the sample" from "none missed".
// Deterministic in seed, whatever the threads. O(2000 documents).
// Sources: Efron, "Bootstrap methods", 1979; Wilson 1927; Kish 1965 (effective size).
[[nodiscard]] RecallEstimate estimate_recall(std::span<const PairTally> documents,
                                             std::uint64_t seed, ThreadPool& pool);

}  // namespace sosie
