#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/scored_link.h"
#include "plan/score_bands.h"

namespace sosie {

// Part of the pairs with average difference `h` that is true, when true pairs differ by `h0` on
// average and random pairs by `h1`: (h1 - h) / (h1 - h0). MMDS 3.8.3.
[[nodiscard]] constexpr double true_part(double h0, double h1, double h) noexcept {
  return (h1 - h) / (h1 - h0);
}

// A link, and how much its records differ in a field that was not scored.
struct HeldOutLink {
  double score = 0;
  double probability = 0;  // the model's; 0 in every link: there is no model
  double difference = -1;  // at least 0; negative or NaN: a record lacks the field
};

struct HeldOutTask {
  std::span<const HeldOutLink> links;  // the links to be judged, in any order
  std::span<const double> random;      // differences of random pairs that have the field
  // Pairs of linked records with other partners, where links are one to one: known to be no
  // matches. Empty: the field is not checked for repeating what was scored.
  std::span<const HeldOutLink> runners_up;
  std::uint64_t seed = 1;
};

struct Interval {
  double least = 0;
  double most = 0;
};

// Estimate by a field that was held out, or the reason why there is none.
struct FieldEstimate {
  std::string refusal;  // empty: the estimate holds
  double h0 = 0;        // mean difference of sure pairs
  double h1 = 0;        // mean difference of random pairs
  std::uint64_t sure_pairs = 0;
  bool checked = false;  // that the field does not repeat what was scored
  double moved = 0;      // change of the estimated F1 with h1 from runner-up pairs
  LinkEstimate estimate;
  Interval matches;  // 95 %
  Interval f1;
};

// Estimates how many links are true from a field that took no part in their scores. Links are cut
// into bands by score (score_bands.h); the part of a band that is true is true_part(h0, h1, h)
// of its mean difference h, as a falling sequence clamped to [0, 1]; links that lack the field
// count like the rest of their band.
//
// Sure pairs, which give h0, are the links of probability .99 and more, without a model the best
// tenth by score and at least 100. Refuses when
//  * under 100 sure pairs, or under 100 random pairs, have the field;
//  * h0 >= .7 h1: the field does not tell matches from others;
//  * h1 from the runner-up pairs of nearest score moves the estimated F1 by more than .05: the
//    field repeats what was scored, so that non-matches of high scores agree in it, too.
// Intervals: bootstrap over links, sure pairs and random pairs; 200 resamples, 40 at the least for
// millions of links; h1 of a resample is at least 1/.7 of its h0 and a tenth of the h1 of all. They
// do not cover errors that come together, such as of records that were copied often. Deterministic
// in seed. Sums are doubles in order of descending score; no libm.
[[nodiscard]] FieldEstimate estimate_by_field(const HeldOutTask& task);

// `count` random pairs of two collections, or of one (`right_records` 0; then left < right), drawn
// independently by a hash of seed and number. None when there is no pair.
[[nodiscard]] std::vector<RecordPair> random_pairs(std::uint32_t left_records,
                                                   std::uint32_t right_records, std::size_t count,
                                                   std::uint64_t seed);

inline constexpr std::uint64_t kFewestSurePairs = 100;
inline constexpr double kSureProbability = 0.99;

}  // namespace sosie
