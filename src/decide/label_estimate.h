#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// Pairs that a model and its answer take for alike, and what a person said of some of them.
struct LabelStratum {
  double pairs = 0;        // all of them
  double expected = 0;     // matches among them by the model
  double labelled = 0;     // pairs that were labelled, however chosen among these
  double matches = 0;      // labelled pairs that match
  double linked = 0;       // pairs of the answer that nobody labelled
  double others = 0;       // pairs beside it that nobody labelled
  bool is_doubted = true;  // false: a model that expects few matches here is believed
};

// Labelled pairs by what the answer makes of them.
struct LabelCounts {
  double linked_matches = 0;
  double linked_others = 0;
  double missed_matches = 0;
};

// Quality of an answer as labels tell it.
struct LabelEstimate {
  double matches = 0;  // in the answer or beside it, among the pairs that were compared
  double precision = 1;
  double recall = 1;
  double f1 = 1;
  double error = 0;         // standard error of f1
  bool is_covered = false;  // there are labels wherever many links are
};

// Estimates by labelled pairs how many of the others match: in each stratum the part that is
// labelled a match, beside what the model expects, which counts like four labels, and where it is
// believed and expects few like as many as make a fifth of a match. A stratum that holds a tenth of
// the links or more needs five labels for is_covered. O(strata).
[[nodiscard]] LabelEstimate estimate_by_labels(std::span<const LabelStratum> strata,
                                               const LabelCounts& counts);

}  // namespace sosie
