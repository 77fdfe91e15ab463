#pragma once

#include <cstdint>

namespace sosie {

// Share of the sampled documents' true pairs that the run's candidate rule accepts, and the
// estimate for all pairs.
struct RecallEstimate {
  std::uint64_t true_pairs = 0;
  std::uint64_t found_pairs = 0;
  double recall = 1;
  double low = 0;  // 95 % interval
  double high = 1;
};

// Results of `--audit` (decide/audit.h).
struct AuditFacts {
  std::uint64_t sampled = 0;    // documents compared with all others
  std::uint64_t documents = 0;  // that take part
  RecallEstimate all;           // pairs at or above the threshold
  RecallEstimate slice;         // recall of the pairs between the threshold and slice_end
  double slice_end = 1;         // threshold + 0.05; of distances 0.95 of the bound
  std::uint64_t reported = 0;   // pairs the run reports that touch a sampled document
  std::uint64_t reported_true = 0;
  double asked = 0;           // --recall
  bool enough = false;        // true pairs for an answer
  bool below_recall = false;  // the answer: even the interval's upper end is below what was asked
  double seconds = 0;
};

}  // namespace sosie
