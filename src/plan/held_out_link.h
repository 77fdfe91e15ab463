#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/scored_link.h"
#include "plan/score_bands.h"

namespace sosie {

// Share of true pairs among pairs whose average difference is `h`, if true pairs differ by `h0` on
// average and random pairs by `h1`: (h1 - h) / (h1 - h0). MMDS 3.8.3.
[[nodiscard]] constexpr double true_part(double h0, double h1, double h) noexcept {
  return (h1 - h) / (h1 - h0);
}

// A link, and the difference between its records in a field that was not used for scores.
struct HeldOutLink {
  double score = 0;
  double probability = 0;  // from the model; 0 in every link: there is no model
  double difference = -1;  // at least 0; negative or NaN: a record lacks the field
};

struct HeldOutTask {
  std::span<const HeldOutLink> links;  // the links to be assessed, in any order
  std::span<const double> random;      // differences of random pairs that have the field
  // If links are one to one: pairs of linked records with other partners, which certainly do not
  // match. If empty, it is not checked whether the field repeats the scored fields.
  std::span<const HeldOutLink> runners_up;
  std::uint64_t seed = 1;
};

struct Interval {
  double least = 0;
  double most = 0;
};

// An estimate made with a held-out field, or the reason why there is none.
struct FieldEstimate {
  std::string refusal;  // empty: the estimate holds
  double h0 = 0;        // mean difference of high-confidence pairs
  double h1 = 0;        // mean difference of random pairs
  std::uint64_t sure_pairs = 0;
  bool checked = false;  // true if the field was checked for repeating scored ones
  double moved = 0;      // change of the estimated F1 if h1 is from runner-up pairs
  LinkEstimate estimate;
  Interval matches;  // 95 %
  Interval f1;
};

// Estimates the number of true links from a field that was not used for their scores. Links are
// divided into bands by score (score_bands.h); the share of true links in a band is true_part(h0,
// h1, h) of its mean difference h, as a decreasing sequence clamped to [0, 1]; links that lack the
// field count like the rest of their band.
//
// High-confidence pairs, which determine h0, are the links with a probability of 0.99 or more;
// without a model, the best tenth by score and at least 100. There is no estimate if
// * fewer than 100 high-confidence pairs, or fewer than 100 random pairs, have the field;
// * h0 >= 0.7 h1: the field does not distinguish matches from other pairs;
// * h1 from the runner-up pairs of nearest score changes the estimated F1 by more than 0.05: the
//    field repeats the scored ones, so that high-scoring non-matches agree in it, too.
// Intervals: bootstrap over links, high-confidence pairs and random pairs; 200 resamples, at least
// 40 for millions of links; h1 of a resample is at least 1/0.7 of its h0 and a tenth of the overall
// h1. They do not cover errors that occur together, as in records that were copied often.
// Deterministic in seed. Sums are doubles in order of descending score; no libm.
[[nodiscard]] FieldEstimate estimate_by_field(const HeldOutTask& task);

// `count` random pairs from two collections, or from one (`right_records` 0; then left < right),
// drawn independently by a hash of seed and number. Empty if no pair exists.
[[nodiscard]] std::vector<RecordPair> random_pairs(std::uint32_t left_records,
                                                   std::uint32_t right_records, std::size_t count,
                                                   std::uint64_t seed);

inline constexpr std::uint64_t kFewestSurePairs = 100;
inline constexpr double kSureProbability = 0.99;

}  // namespace sosie
