#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// Pairs that a model and its answer treat alike, and a person's labels for some of them.
struct LabelStratum {
  double pairs = 0;        // total number
  double expected = 0;     // number of matches among them according to the model
  double labelled = 0;     // labelled pairs, regardless of how they were selected
  double matches = 0;      // labelled pairs that match
  double linked = 0;       // pairs in the answer without a label
  double others = 0;       // pairs outside the answer without a label
  bool is_doubted = true;  // false: the model is trusted if it expects few matches here
};

// Numbers of labelled pairs, by the answer's decision on them.
struct LabelCounts {
  double linked_matches = 0;
  double linked_others = 0;
  double missed_matches = 0;
};

// Quality of an answer, estimated from labels.
struct LabelEstimate {
  double matches = 0;  // among the compared pairs, whether in the answer or not
  double precision = 1;
  double recall = 1;
  double f1 = 1;
  double error = 0;         // standard error of f1
  bool is_covered = false;  // there are labels wherever there are many links
};

// Estimates from the labelled pairs how many of the remaining pairs match. In each stratum, the
// share of labelled pairs that match is combined with the model's expectation, which has the weight
// of four labels. In a stratum where the model is trusted and expects few matches, its weight is
// the number of labels at which it expects a fifth of a match. For is_covered, a stratum with at
// least a tenth of the links needs five labels. O(strata).
[[nodiscard]] LabelEstimate estimate_by_labels(std::span<const LabelStratum> strata,
                                               const LabelCounts& counts);

}  // namespace sosie
