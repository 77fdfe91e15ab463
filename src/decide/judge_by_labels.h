#pragma once

#include <cstddef>
#include <span>

#include "data/label_basis.h"
#include "decide/label_estimate.h"
#include "decide/link_confidence.h"

namespace sosie {

// A pair of records that a person has labelled.
struct LabelledPair {
  std::size_t stratum = 0;  // position in LabelBasis::strata, or one of the two after them
  double probability = 0;   // according to the model
  double score = 0;
  bool was_linked = false;  // in the answer that the basis describes
  bool is_linked = false;   // in the answer to be judged, which may differ for labelled pairs
  bool is_match = false;    // the label
};

// Quality of an answer and the confidence in it, given the labels.
struct LabelJudgement {
  LabelEstimate estimate = {};
  LinkConfidence confidence = {};  // without a next step
};

// Estimates the quality of an answer from labels, and decides whether they make it trustworthy. The
// order of the labels affects only the last bits of the results. O(strata + labels log labels).
[[nodiscard]] LabelJudgement judge_by_labels(const LabelBasis& basis,
                                             std::span<const LabelledPair> labels);

}  // namespace sosie
