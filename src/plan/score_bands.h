#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/link_cut.h"

namespace sosie {

// Links with adjacent scores, and the estimated share of true links among them with a 95 %
// interval.
struct ScoreBand {
  double high = 0;  // scores of the first and of the last link
  double low = 0;
  std::uint64_t links = 0;
  double true_part = 0;
  double least = 0;  // ends of the interval
  double most = 1;
};

// Minimum number of scores in a band if there are enough scores: 30; in short lists, a thirtieth of
// the list but at least 10.
[[nodiscard]] std::size_t band_size(std::size_t scores) noexcept;

// The ends of the bands in a list of descending scores. Each band has at least band_size() scores
// unless it is the only band; equal scores share a band. O(scores).
[[nodiscard]] std::vector<std::size_t> band_ends(std::span<const double> scores);

// Replaces `values` with the nearest decreasing sequence, by squared differences times `weights` (>
// 0). O(values). Source: Ayer et al. 1955 (pool adjacent violators).
void fit_falling(std::span<double> values, std::span<const double> weights);

// The estimated shares of all bands, fitted as a decreasing sequence and then clamped to [0, 1].
void fit_true_parts(std::span<double> parts, std::span<const double> weights);

// Merges adjacent bands with equal shares and intervals, for display.
[[nodiscard]] std::vector<ScoreBand> joined_bands(std::span<const ScoreBand> bands);

// Quality of a list of links, estimated without labels.
struct LinkEstimate {
  double matches = 0;            // number of true links in the whole list
  LinkCut cut;                   // the cut with the highest estimated F1
  std::vector<ScoreBand> bands;  // by descending score
};

// The estimate if the probability of every link is the share of its band. Each band is listed, with
// an interval of width 0. `ends`: from band_ends(scores). O(scores).
[[nodiscard]] LinkEstimate estimate_of_bands(std::span<const double> scores,
                                             std::span<const std::size_t> ends,
                                             std::span<const double> true_parts);

}  // namespace sosie
