#pragma once

#include <vector>

#include "plan/banding_plan.h"

namespace sosie {

// Pairs of about the same similarity, below the threshold, that contain the average document. Each
// pair is counted for only one of its two documents.
struct FalsePairs {
  double similarity = 0;
  double per_document = 0;
};

// The false pairs in the sample: its sampled pairs, scaled to all documents * (documents - 1) / 2.
// The least similar come first; empty bins are left out.
[[nodiscard]] std::vector<FalsePairs> sampled_false_pairs(const SampleFacts& sample,
                                                          double threshold);

// The false pairs assumed for an unknown collection, see false_pairs.cc.
[[nodiscard]] std::vector<FalsePairs> assumed_false_pairs(double threshold);

}  // namespace sosie
