#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/scored_link.h"
#include "decide/truth_pairs.h"

namespace sosie {

struct TruthTask {
  const TruePairs& truth;
  std::span<const ScoredLink> scored;  // true pairs that were candidates, by (left, right)
  double cut = 0;                      // minimum score of a link
  std::span<const RecordPair> output;  // output pairs, by (left, right), without duplicates
};

inline constexpr std::size_t kLostExamples = 10;

// True pairs that are missing from the output.
struct LostPairs {
  std::uint64_t count = 0;
  std::vector<RecordPair> examples;  // the first kLostExamples by (left, right)
};

// Quality of the output pairs, and the step at which each missing true pair was lost.
struct LinkQuality {
  std::uint64_t true_pairs = 0;
  std::uint64_t output_pairs = 0;
  std::uint64_t found = 0;  // true pairs in the output
  double precision = 1;     // found / output pairs; 1 without output
  double recall = 1;        // found / true pairs; 1 without truth
  double f1 = 1;            // 2 found / (output + true pairs); 1 if both are empty
  LostPairs by_candidates;  // never compared
  LostPairs by_score;       // scored below the cut
  LostPairs by_decision;    // reached the cut, but the records are not joined in the output
};

// Compares the output with the truth. The true pairs consist of the found pairs and all lost pairs.
// O((scored + output) log pairs), plus the true pairs up to the last example.
[[nodiscard]] LinkQuality judge_links(const TruthTask& task);

}  // namespace sosie
