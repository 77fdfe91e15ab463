// Estimates the quality of links from labelled pairs.
#include "decide/label_estimate.h"

#include <algorithm>
#include <cmath>

namespace sosie {
namespace {

// Share of matches among the pairs of a stratum, and its variance.
struct SharedPart {
  double share = 0;
  double variance = 0;
};

SharedPart part_of(const LabelStratum& stratum) {
  constexpr double kLabelsOfModel = 4;
  constexpr double kLeastMatches = 0.2;
  if (stratum.pairs <= 0) return {};
  const double expected = std::clamp(stratum.expected / stratum.pairs, 1e-9, 1.0);
  const double of_model =
      stratum.is_doubted ? kLabelsOfModel : std::max(kLabelsOfModel, kLeastMatches / expected);
  const double all = stratum.labelled + of_model;
  const double matches = stratum.matches + of_model * expected;
  // Adds half a label of either kind; otherwise, unanimous labels would leave no uncertainty.
  const double doubted = stratum.is_doubted ? (matches + 0.5) / (all + 1) : matches / all;
  return {matches / all, doubted * (1 - doubted) / (all + 2)};
}

double ratio_of(double part, double whole) { return whole > 0 ? part / whole : 1; }

}  // namespace

LabelEstimate estimate_by_labels(std::span<const LabelStratum> strata, const LabelCounts& counts) {
  constexpr double kMuch = 0.1;
  constexpr double kFewestLabels = 5;
  double linked = counts.linked_matches + counts.linked_others;
  for (const LabelStratum& stratum : strata) linked += stratum.linked;
  double found = counts.linked_matches;
  double missed = counts.missed_matches;
  LabelEstimate estimate;
  estimate.is_covered = true;
  for (const LabelStratum& stratum : strata) {
    const SharedPart part = part_of(stratum);
    found += part.share * stratum.linked;
    missed += part.share * stratum.others;
    if (stratum.linked >= kMuch * linked && stratum.linked > 0 &&
        stratum.labelled < std::min(kFewestLabels, stratum.pairs)) {
      estimate.is_covered = false;
    }
  }
  estimate.matches = found + missed;
  estimate.precision = ratio_of(found, linked);
  estimate.recall = ratio_of(found, estimate.matches);
  estimate.f1 = ratio_of(2 * found, linked + estimate.matches);
  double variance = 0;
  for (const LabelStratum& stratum : strata) {
    const double moved = (2 - estimate.f1) * stratum.linked - estimate.f1 * stratum.others;
    variance += part_of(stratum).variance * moved * moved;
  }
  estimate.error = ratio_of(std::sqrt(variance), linked + estimate.matches);
  if (linked + estimate.matches == 0) estimate.error = 0;
  return estimate;
}

}  // namespace sosie
